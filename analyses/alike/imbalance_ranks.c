/* The time that each rank computes, communicates and waits, and how far its computation is from the median. */
#include "calls/call_paths.h"
#include "calls/summed_paths.h"
#include "calls/summed_times.h"
#include "imbalance.h"
#include "threads/rank_threads.h"
#include "threads/summed_threads.h"
#include "values/outermost.h"
#include "values/shares.h"
#include "waiting/clock_doubts.h"

static const HieraColumn columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},    {"waiting", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"io", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},     {"idle", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"apart", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING}, {"factor", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
};

typedef struct {
    const HieraScope *scope;
    HieraCallPaths paths;
    GArray *ranks; /* HieraRankDoing, by processor, of ranks whose operations this process has */
} Search;

/* Whether the scope's level and depth accept the time in a row. @param row  HIERA_NONE: outside of all operations */
static gboolean accepts(const Search *search, guint32 row)
{
    return !hiera_scope_has_units(search->scope) || (row != HIERA_NONE && search->paths.node[row] != 0);
}

static void add_span(const HieraTimeSpan *span, gpointer data)
{
    Search *search = data;
    HieraRankDoing *rank = &g_array_index(search->ranks, HieraRankDoing, search->ranks->len - 1);
    if (accepts(search, span->row))
        rank->does_ns[span->doing] =
            hiera_plus(rank->does_ns[span->doing], hiera_scope_clip(search->scope, span->begin_ns, span->end_ns));
}

/* Add the waits of a processor's main thread. @param at  index of its first wait; becomes the index after its last */
static void add_waits(const Search *search, HieraRankDoing *rank, const GArray *waits, guint *at)
{
    const HieraTrace *trace = search->paths.trace;
    const HieraProcessor *of = &trace->processors[rank->processor];
    for (; *at < waits->len && g_array_index(waits, HieraWait, *at).row < of->first + of->n_operations; (*at)++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, *at);
        if (wait->row >= of->first && trace->thread[wait->row] == 0 && accepts(search, wait->row))
            rank->waiting_ns =
                hiera_plus(rank->waiting_ns, hiera_scope_clip(search->scope, wait->begin_ns, wait->end_ns));
    }
}

/* Add the waiting that a profile has measured for a summed operation. */
static void add_measured(const HieraSummed *summed, const HieraSummedPath *path, gpointer data)
{
    const Search *search = data;
    HieraRankDoing *rank = &g_array_index(search->ranks, HieraRankDoing, search->ranks->len - 1);
    if (path->in_mpi || summed->thread != 0 || (hiera_scope_has_units(search->scope) && path->node == 0))
        return;
    rank->waiting_ns = hiera_plus(rank->waiting_ns, hiera_summed_waiting(summed));
}

/* Add what the main thread does in summed operations. With a level, a depth or --where idle time is not known. */
static void add_summed(const HieraTrace *trace, guint32 processor, const HieraScope *scope, gint64 *does_ns)
{
    HieraSummedThreads threads;
    if (trace->processors[processor].n_summed == 0)
        return;
    hiera_summed_times_of(trace, processor, scope, does_ns);
    (void)hiera_summed_threads_find(&threads, trace, processor, does_ns);
    if (hiera_scope_has_units(scope))
        return;
    does_ns[HIERA_DOES_COMPUTE] = hiera_minus(does_ns[HIERA_DOES_COMPUTE], threads.main_idle_ns);
    does_ns[HIERA_DOES_IDLE] = hiera_plus(does_ns[HIERA_DOES_IDLE], threads.main_idle_ns);
}

static gint64 find_median(const GArray *ranks)
{
    g_autofree gint64 *times = g_new(gint64, (gsize)ranks->len + 1);
    for (guint i = 0; i < ranks->len; i++)
        times[i] = g_array_index(ranks, HieraRankDoing, i).does_ns[HIERA_DOES_COMPUTE];
    return hiera_median_with_zeros(times, ranks->len, ranks->len);
}

/* Sort by distance of the computation from the median, farthest first. */
static gint compare_ranks(gconstpointer left, gconstpointer right)
{
    const HieraRankDoing *a = left, *b = right;
    gint64 far_a = ABS(a->apart_ns), far_b = ABS(b->apart_ns);
    return far_a != far_b ? (far_a < far_b) - (far_a > far_b)
                          : (a->processor > b->processor) - (a->processor < b->processor);
}

static void sort_ranks(GArray *ranks, gint64 median_ns)
{
    for (guint i = 0; i < ranks->len; i++) {
        HieraRankDoing *rank = &g_array_index(ranks, HieraRankDoing, i);
        rank->apart_ns = hiera_minus(rank->does_ns[HIERA_DOES_COMPUTE], median_ns);
    }
    g_array_sort(ranks, compare_ranks);
}

static void add_rank(const HieraTrace *trace, const HieraRankDoing *rank, gint64 median_ns, HieraTable *table)
{
    gint64 useful_ns = rank->does_ns[HIERA_DOES_COMPUTE];
    hiera_table_add(table, (HieraCell[]){{.number = trace->processors[rank->processor].rank},
                                         {.number = useful_ns},
                                         {.number = rank->does_ns[HIERA_DOES_COMMUNICATE]},
                                         {.number = rank->waiting_ns},
                                         {.number = rank->does_ns[HIERA_DOES_IO]},
                                         {.number = rank->does_ns[HIERA_DOES_IDLE]},
                                         {.number = rank->apart_ns},
                                         {.number = hiera_ratio(useful_ns, median_ns)}});
}

/* --- several processes: process 0 gets the times of all ranks --- */

static void pack_ranks(HieraPacker *to, gpointer user)
{
    const GArray *ranks = ((const Search *)user)->ranks;
    hiera_pack_number(to, ranks->len);
    for (guint i = 0; i < ranks->len; i++) {
        const HieraRankDoing *rank = &g_array_index(ranks, HieraRankDoing, i);
        hiera_pack_number(to, rank->processor);
        for (guint k = 0; k < HIERA_N_DOINGS; k++)
            hiera_pack_number(to, rank->does_ns[k]);
        hiera_pack_number(to, rank->waiting_ns);
    }
}

static void unpack_ranks(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        HieraRankDoing rank = {.processor = (guint32)hiera_unpack_number(from)};
        for (guint k = 0; k < HIERA_N_DOINGS; k++)
            rank.does_ns[k] = hiera_unpack_number(from);
        rank.waiting_ns = hiera_unpack_number(from);
        g_array_append_val(((Search *)user)->ranks, rank);
    }
}

static gint compare_processors(gconstpointer left, gconstpointer right)
{
    const HieraRankDoing *a = left, *b = right;
    return (a->processor > b->processor) - (a->processor < b->processor);
}

GArray *hiera_rank_doings_find(const HieraMatch *match, const HieraScope *scope)
{
    guint at = 0;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    Search search = {scope, {0}, g_array_new(FALSE, FALSE, sizeof(HieraRankDoing))};
    hiera_call_paths_init(&search.paths, trace, scope);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        HieraRankDoing rank = {.processor = i};
        if (!hiera_scope_accepts_rank(scope, trace->processors[i].rank) || !hiera_scope_is_own(scope, i))
            continue;
        add_waits(&search, &rank, waits, &at);
        g_array_append_val(search.ranks, rank);
        hiera_idle_timeline_visit(trace, i, add_span, &search);
        hiera_summed_paths_visit(&search.paths, scope, i, add_measured, &search);
        add_summed(trace, i, scope, g_array_index(search.ranks, HieraRankDoing, search.ranks->len - 1).does_ns);
    }
    hiera_scope_gather_others(scope, trace, pack_ranks, unpack_ranks, &search);
    g_array_sort(search.ranks, compare_processors);
    hiera_call_paths_clear(&search.paths);
    return search.ranks;
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    g_autoptr(GArray) ranks = hiera_rank_doings_find(match, scope), waits = hiera_waits_find(match);
    gint64 median_ns = find_median(ranks);
    sort_ranks(ranks, median_ns);
    for (guint i = 0; i < ranks->len; i++)
        add_rank(hiera_match_peek_trace(match), &g_array_index(ranks, HieraRankDoing, i), median_ns, table);
    HieraDoubtSums sums = hiera_clock_doubts_gather(hiera_match_peek_trace(match), waits, scope);
    hiera_clock_doubts_limit(hiera_match_peek_trace(match), &sums, table);
    hiera_imbalance_limit(hiera_match_peek_trace(match), scope, table);
    return TRUE;
}

const HieraMeasure hiera_imbalance_by_rank = {
    .name = "imbalance",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_SUMS | HIERA_MEASURE_TOGETHER,
    .find = find,
};
