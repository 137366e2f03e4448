/* Forms of over-time that need all operations: where the ranks wait, where their threads idle, and the efficiencies of
 * each part of the run, which are those of `efficiency` between its two times. */
#include "efficiency_spans.h"
#include "over_time_rows.h"
#include "paths/shared_replay.h"
#include "threads/thread_forms.h"
#include "values/outermost.h"
#include "values/unrecorded.h"
#include "waiting/clock_doubts.h"

typedef struct {
    HieraOverTimeForm form;
    const HieraScope *scope;
    const HieraMatch *match; /* NULL: the form is about main threads */
    const HieraTrace *trace;
    const HieraDependences *of; /* dependences of all calls, for the ideal run; NULL if the form has no efficiencies */
    const HieraIdealRun *ideal;
    const GArray *waits; /* HieraWait, by row, of all ranks; NULL if the form shows no waiting */
    guint at;            /* index in `waits` from which hiera_waits_cut() searches */
    HieraEfficiencyRegions regions;
    GArray *units; /* HieraEfficiencyUnit of the current processor; NULL if the scope has no level, depth or --where */
    HieraOverTime over;
} Search;

static void add_wait(const HieraTimeSpan *part, const HieraWait *wait, gpointer data)
{
    Search *search = data;
    if (wait)
        hiera_over_time_add(&search->over, HIERA_OVER_WAITING, part->begin_ns, part->end_ns);
}

static void add_span(const HieraEfficiencySpan *found, gpointer data)
{
    Search *search = data;
    const HieraTimeSpan *span = &found->span;
    hiera_over_time_add(&search->over, span->doing, span->begin_ns, span->end_ns);
    if (search->of)
        hiera_over_time_add(&search->over, HIERA_OVER_IDEAL, span->begin_ns, found->ideal_end_ns);
    if (search->waits)
        hiera_waits_cut(search->waits, &search->at, span, add_wait, search);
}

static void find_units(Search *search, guint32 processor)
{
    if (!search->units)
        return;
    g_array_set_size(search->units, 0);
    hiera_efficiency_units_find(&search->regions, processor, search->units);
}

/* Add the times of a processor to the sums of the current rank. */
static void add_processor(Search *search, guint32 processor)
{
    if (search->of)
        hiera_efficiency_spans_visit(search->of, search->ideal, search->units, processor, add_span, search);
    else
        hiera_recorded_spans_visit(search->trace, search->units, processor, add_span, search);
    if (search->match && search->form != HIERA_OVER_TIME_THREAD)
        hiera_over_time_add_threads(&search->over, search->match, processor, search->units);
}

/* Add the rows of a rank, whose sums are complete, and begin with the next rank. */
static void end_rank(Search *search, guint32 rank, guint32 thread, HieraTable *table)
{
    hiera_over_time_add_rank(&search->over, search->form, rank, thread, table);
    hiera_over_time_end_rank(&search->over);
}

/* Create the bins between the first init and the last finalize of the ranks in the scope. */
static void init_bins(Search *search)
{
    gint64 first_ns = G_MAXINT64, last_ns = G_MININT64;
    for (guint32 i = 0; i < search->trace->n_processors; i++) {
        const HieraProcessor *processor = &search->trace->processors[i];
        if (!hiera_scope_accepts_rank(search->scope, processor->rank))
            continue;
        first_ns = MIN(first_ns, processor->init_ns);
        last_ns = MAX(last_ns, processor->finalize_ns);
    }
    hiera_over_time_init(&search->over, search->scope, MIN(first_ns, last_ns), last_ns,
                         hiera_trace_peek_past(search->trace));
}

/* Begin the search. @param table  owns the names of regions */
static Search search_begin(const HieraTrace *trace, const HieraScope *scope, HieraTable *table)
{
    Search search = {
        .form = (HieraOverTimeForm)hiera_scope_find_by(scope, HIERA_OVER_TIME_BY), .scope = scope, .trace = trace};
    if (hiera_scope_has_units(scope))
        search.units = g_array_new(FALSE, FALSE, sizeof(HieraEfficiencyUnit));
    hiera_efficiency_regions_init(&search.regions, trace, scope, HIERA_EFFICIENCY_RUN, table);
    init_bins(&search);
    return search;
}

static void search_end(Search *search)
{
    hiera_over_time_clear(&search->over);
    g_array_unref(search->regions.sums);
    hiera_efficiency_regions_clear(&search->regions);
    g_clear_pointer(&search->units, g_array_unref);
}

/* --- the rows of all processes --- */

/* Columns of the table that processes send to each other: the times of a rank, or of a thread, in each bin. */
static const HieraColumn part_columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"thread", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"bin", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},       {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},       {"io", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"own", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},       {"idle", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"waiting", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},   {"ideal", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"threads", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},   {"all-useful", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"all-mpi", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},   {"all-io", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"all-idle", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},  {"serial", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"balance", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},   {"scheduling", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
};
enum { RANK, THREAD, BIN, TIMES };
_Static_assert(G_N_ELEMENTS(part_columns) == TIMES + HIERA_N_OVER, "a column for each kind of time");

/* Add the sums of a rank to the table `part`, and begin the next rank. */
static void pack_rank(Search *search, guint32 rank, guint32 thread, HieraTable *part)
{
    for (guint bin = 0; bin < search->over.bins.n; bin++) {
        HieraCell cells[G_N_ELEMENTS(part_columns)];
        cells[RANK].number = rank;
        cells[THREAD].number = thread;
        cells[BIN].number = bin;
        for (guint i = 0; i < HIERA_N_OVER; i++)
            cells[TIMES + i].number = search->over.rank[bin].ns[i];
        hiera_table_add(part, cells);
    }
    hiera_over_time_end_rank(&search->over);
}

/* Add the sums of each thread of a processor. @return FALSE if it has one thread */
static gboolean pack_threads(Search *search, guint32 processor, HieraTable *part)
{
    const HieraRankThreads *threads = hiera_rank_threads_of(search->match, processor);
    g_autoptr(GArray) spans = threads ? hiera_thread_places_find(threads) : NULL;
    for (guint i = 0; threads && i < spans->len;) {
        guint32 thread = g_array_index(spans, HieraThreadSpan, i).thread;
        i = hiera_over_time_add_thread(&search->over, search->trace, processor, spans, i, search->units);
        pack_rank(search, search->trace->processors[processor].rank, thread, part);
    }
    return threads != NULL;
}

static void pack_processors(Search *search, HieraTable *part)
{
    for (guint32 i = 0; i < search->trace->n_processors; i++) {
        guint32 rank = search->trace->processors[i].rank;
        if (!hiera_scope_accepts_rank(search->scope, rank) || !hiera_scope_is_own(search->scope, i))
            continue;
        find_units(search, i);
        if (search->form == HIERA_OVER_TIME_THREAD && pack_threads(search, i, part))
            continue;
        add_processor(search, i);
        pack_rank(search, rank, 0, part);
    }
}

static void join_row(Search *search, const HieraCell *cells, HieraTable *table)
{
    guint bin = (guint)cells[BIN].number;
    for (guint i = 0; i < HIERA_N_OVER; i++)
        search->over.rank[bin].ns[i] = cells[TIMES + i].number;
    if (bin + 1 == search->over.bins.n)
        end_rank(search, (guint32)cells[RANK].number, (guint32)cells[THREAD].number, table);
}

/* Say why there is no time, if the scope has operations of further threads alone. */
static void limit_nothing(const Search *all, HieraTable *table)
{
    guint64 n = 0;
    for (guint bin = 0; bin < all->over.bins.n; bin++)
        n += all->over.most[bin].processes;
    if (n == 0)
        hiera_main_threads_limit(all->trace, all->scope, HIERA_EFFICIENCY_NOTHING, HIERA_EFFICIENCY_NOTHING, table);
}

/* Add the rows of all processors in process 0. @param own  the search over this process's own processors */
static void gather_processors(Search *own, HieraTable *table)
{
    g_autoptr(HieraTable) parts = hiera_table_new("", part_columns, G_N_ELEMENTS(part_columns));
    Search all = search_begin(own->trace, own->scope, table);
    pack_processors(own, parts);
    hiera_scope_gather_rows(own->scope, own->trace, parts);
    for (guint i = 0; hiera_scope_leads(own->scope) && i < hiera_table_count(parts); i++)
        join_row(&all, hiera_table_peek_row(parts, i), table);
    hiera_over_time_add_all(&all.over, all.form, table);
    if (own->match)
        limit_nothing(&all, table);
    search_end(&all);
}

static gboolean find_waiting(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    g_autoptr(GArray) waits = hiera_waits_find(match);
    Search search = search_begin(hiera_match_peek_trace(match), scope, table);
    search.waits = waits;
    gather_processors(&search, table);
    HieraDoubtSums sums = hiera_clock_doubts_gather(search.trace, waits, scope);
    hiera_clock_doubts_limit(search.trace, &sums, table);
    hiera_main_threads_limit(search.trace, scope, HIERA_OVER_TIME_OF_MAIN, HIERA_ONLY_MAIN_THREADS("over-time"), table);
    hiera_unrecorded_limit(search.trace, scope, table);
    search_end(&search);
    return TRUE;
}

static gboolean find_threads(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    Search search = search_begin(hiera_match_peek_trace(match), scope, table);
    search.match = match;
    gather_processors(&search, table);
    hiera_other_threads_limit(match, scope, table);
    hiera_threads_limit(search.trace, scope, table);
    search_end(&search);
    return TRUE;
}

static gboolean find_efficiency(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    HieraIdealRun ideal;
    Search search = search_begin(hiera_match_peek_trace(match), scope, table);
    search.match = match;
    search.of = hiera_dependences_of_scope(match, scope);
    hiera_ideal_run_find(&ideal, search.of, scope, TRUE);
    search.ideal = &ideal;
    gather_processors(&search, table);
    hiera_other_threads_limit(match, scope, table);
    hiera_unrecorded_limit(search.trace, scope, table);
    hiera_ideal_run_clear(&ideal);
    search_end(&search);
    return TRUE;
}

static const HieraColumn waiting_columns[] = {HIERA_OVER_TIME_LOST_COLUMNS("waiting")};
static const HieraColumn waiting_rank_columns[] = {HIERA_OVER_TIME_RANK_COLUMN HIERA_OVER_TIME_LOST_COLUMNS("waiting")};
static const HieraColumn idle_columns[] = {HIERA_OVER_TIME_LOST_COLUMNS("idle")};
static const HieraColumn thread_columns[] = {
    HIERA_OVER_TIME_RANK_COLUMN HIERA_OVER_TIME_THREAD_COLUMN HIERA_OVER_TIME_LOST_COLUMNS("idle")};
static const HieraColumn efficiency_columns[] = {HIERA_OVER_TIME_EFFICIENCY_COLUMNS};

#define FORM(of, way)                                                                                                  \
    {                                                                                                                  \
        .name = "over-time", .columns = of, .n_columns = G_N_ELEMENTS(of),                                             \
        .flags = HIERA_MEASURE_BINS | HIERA_MEASURE_TOGETHER, .find = way                                              \
    }
const HieraMeasure hiera_over_time_waiting = FORM(waiting_columns, find_waiting);
const HieraMeasure hiera_over_time_waiting_rank = FORM(waiting_rank_columns, find_waiting);
const HieraMeasure hiera_over_time_idle = FORM(idle_columns, find_threads);
const HieraMeasure hiera_over_time_thread = FORM(thread_columns, find_threads);
const HieraMeasure hiera_over_time_efficiency = FORM(efficiency_columns, find_efficiency);
