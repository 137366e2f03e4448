/* Adds up the spans of each processor for the efficiencies; see efficiency_sums.h. */
#include "efficiency_spans.h"
#include "efficiency_sums.h"
#include "values/outermost.h"
#include "values/unrecorded.h"
#include <string.h>

typedef struct {
    const HieraMatch *match;
    const HieraDependences *of;
    const HieraIdealRun *ideal;
    HieraEfficiencyRegions regions;
    GArray *units;                   /* HieraEfficiencyUnit of the current processor */
    GHashTable *places;              /* in process 0: number of the iteration and region → index of their sums + 1 */
    const HieraRankThreads *threads; /* of the current processor; NULL: it has one */
} Search;

static HieraEfficiencySums *peek_sums(const Search *search, guint32 sums)
{
    return &g_array_index(search->regions.sums, HieraEfficiencySums, sums);
}

/* Add `share`, the times of the last processor, to the sums, and begin with those of another one. */
static void turn_to(HieraEfficiencySums *sums, guint32 processor)
{
    if (sums->processor == processor)
        return;
    if (sums->processor != HIERA_NONE)
        hiera_efficiency_sums_add(sums, &sums->share);
    sums->processor = processor;
    sums->share = (HieraEfficiencyShare){.n_threads = 1};
}

/* Whether the answer is one row about all operations of each rank. */
static gboolean is_whole(const HieraEfficiencyRegions *regions)
{
    return regions->by == HIERA_EFFICIENCY_RUN && !hiera_scope_has_units(regions->scope);
}

/* Whether the scope covers all times. */
static gboolean has_all_times(const HieraScope *scope)
{
    return scope->from_ns == G_MININT64 && scope->to_ns == G_MAXINT64;
}

/* Whether the answer is one row about all operations and all times of each rank. */
static gboolean is_whole_time(const HieraEfficiencyRegions *regions)
{
    return is_whole(regions) && has_all_times(regions->scope);
}

gboolean hiera_efficiency_is_whole(const HieraScope *scope)
{
    return hiera_scope_find_by(scope, HIERA_EFFICIENCY_BY) == HIERA_EFFICIENCY_RUN && !hiera_scope_has_units(scope) &&
           has_all_times(scope);
}

HieraScope hiera_efficiency_scope(const HieraScope *scope, const HieraTrace *trace)
{
    HieraScope wide = *scope;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *of = &trace->processors[i];
        if (hiera_scope_accepts_rank(scope, of->rank) &&
            (of->init_ns < scope->from_ns || of->finalize_ns > scope->to_ns))
            return wide;
    }
    wide.from_ns = G_MININT64;
    wide.to_ns = G_MAXINT64;
    return wide;
}

/* A call first waits for others and then transfers; so if only a part of a call is in the scope, its ideal time is
 * taken to lie at its begin. */
static void add_span(const HieraEfficiencySpan *span, gpointer data)
{
    Search *search = data;
    HieraEfficiencySums *sums = peek_sums(search, span->sums);
    HieraEfficiencyShare *share = &sums->share;
    gboolean all = has_all_times(search->regions.scope);
    gint64 time_ns = all ? hiera_minus(span->span.end_ns, span->span.begin_ns)
                         : hiera_scope_clip(search->regions.scope, span->span.begin_ns, span->span.end_ns);
    share->time_ns += time_ns;
    share->useful_ns += !search->threads && span->span.doing == HIERA_DOES_COMPUTE ? time_ns : 0;
    share->io_ns += !search->threads && span->span.doing == HIERA_DOES_IO ? time_ns : 0;
    share->ideal_ns +=
        all ? span->ideal_ns : hiera_scope_clip(search->regions.scope, span->span.begin_ns, span->ideal_end_ns);
    if (span->unsure && sums->unsure++ == 0) {
        sums->unsure_processor = span->span.processor;
        sums->unsure_site = hiera_trace_peek_site(search->of->trace, span->span.row);
    }
}

/* --- all threads of a rank --- */

/* Add a window, as far as it is in the scope. */
static void add_window(const Search *search, GArray *windows, GArray *of, gint64 begin_ns, gint64 end_ns, guint32 sums)
{
    const HieraScope *scope = search->regions.scope;
    gint64 last_ns = windows->len > 0 ? g_array_index(windows, HieraTimeWindow, windows->len - 1).end_ns : G_MININT64;
    HieraTimeWindow window = {MAX(MAX(begin_ns, scope->from_ns), last_ns), MIN(end_ns, scope->to_ns)};
    if (sums == HIERA_NONE || window.begin_ns >= window.end_ns)
        return;
    g_array_append_val(windows, window);
    g_array_append_val(of, sums);
}

/* Add the times of all threads of a rank to the shares of its rows. */
static void add_threads(const Search *search, guint32 processor)
{
    const HieraTrace *trace = search->of->trace;
    const HieraProcessor *rank = &trace->processors[processor];
    g_autoptr(GArray) windows = g_array_new(FALSE, FALSE, sizeof(HieraTimeWindow));
    g_autoptr(GArray) of = g_array_new(FALSE, FALSE, sizeof(guint32)); /* by window: index of its sums */
    if (is_whole(&search->regions)) {
        /* Also of a rank that runs at other times. */
        peek_sums(search, 0)->share.n_threads = search->threads->n_threads;
        add_window(search, windows, of, rank->init_ns, rank->finalize_ns, 0);
    }
    for (guint i = 0; i < search->units->len; i++) {
        const HieraEfficiencyUnit *unit = &g_array_index(search->units, HieraEfficiencyUnit, i);
        add_window(search, windows, of, MAX(trace->start_ns[unit->first], rank->init_ns),
                   MIN(trace->finish_ns[unit->first], rank->finalize_ns), unit->sums);
    }
    g_autofree HieraThreadTimes *times = g_new(HieraThreadTimes, windows->len + 1);
    hiera_thread_times_find(search->threads, (const HieraTimeWindow *)windows->data, windows->len, times);
    for (guint i = 0; i < windows->len; i++) {
        HieraEfficiencyShare *share = &peek_sums(search, g_array_index(of, guint32, i))->share;
        share->n_threads = search->threads->n_threads;
        share->has_others = search->threads->has_others;
        share->is_crowded = rank->usage.n_cpus > 0 && rank->usage.n_cpus < (gint64)share->n_threads;
        share->useful_ns += times[i].useful_ns;
        share->io_ns += times[i].io_ns;
        hiera_thread_times_add(&share->threads, &times[i]);
    }
}

static void add_processor(Search *search, guint32 processor)
{
    gboolean whole = is_whole(&search->regions);
    search->threads = hiera_rank_threads_of(search->match, processor);
    g_array_set_size(search->units, 0);
    if (whole)
        turn_to(peek_sums(search, 0), processor);
    else
        hiera_efficiency_units_find(&search->regions, processor, search->units);
    for (guint i = 0; i < search->units->len; i++) {
        guint32 sums = g_array_index(search->units, HieraEfficiencyUnit, i).sums;
        if (sums != HIERA_NONE)
            turn_to(peek_sums(search, sums), processor);
    }
    hiera_efficiency_spans_visit(search->of, search->ideal, whole ? NULL : search->units, processor, add_span, search);
    if (search->threads)
        add_threads(search, processor);
}

/* Set the time of the whole run: from the first init of a rank to the last finalize; in the ideal run too. */
static void add_run(const Search *search, HieraEfficiencySums *run)
{
    const HieraTrace *trace = search->of->trace;
    const HieraScope *scope = search->regions.scope;
    gint64 first_ns = G_MAXINT64, last_ns = G_MININT64, ideal_ns = G_MININT64;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        if (!hiera_scope_accepts_rank(scope, processor->rank))
            continue;
        first_ns = MIN(first_ns, processor->init_ns);
        last_ns = MAX(last_ns, processor->finalize_ns);
        ideal_ns = MAX(ideal_ns, search->ideal->finalize_ns[i]);
    }
    if (run->processes == 0)
        return;
    run->time_ns = hiera_minus(last_ns, first_ns);
    run->ideal_ns = hiera_minus(ideal_ns, first_ns);
}

static gint compare_sums(gconstpointer left, gconstpointer right)
{
    const HieraEfficiencySums *a = left, *b = right;
    if (a->iteration == 0 && a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? 1 : -1;
    gint names = strcmp(a->region, b->region);
    return names != 0 ? names : (a->iteration > b->iteration) - (a->iteration < b->iteration);
}

/* --- several processes: process 0 gets the sums of all --- */

static void pack_sums(HieraPacker *to, gpointer user)
{
    const GArray *all = ((const Search *)user)->regions.sums;
    hiera_pack_number(to, all->len);
    for (guint i = 0; i < all->len; i++)
        hiera_efficiency_sums_pack(&g_array_index(all, HieraEfficiencySums, i), to);
}

static char *key_of(const HieraEfficiencySums *sums)
{
    return g_strdup_printf("%u %s", sums->iteration, sums->region);
}

static void unpack_sums(HieraUnpacker *from, gpointer user)
{
    const Search *search = user;
    GArray *all = search->regions.sums;
    for (guint i = g_hash_table_size(search->places); i < all->len; i++)
        g_hash_table_insert(search->places, key_of(peek_sums(search, i)), GUINT_TO_POINTER(i + 1));
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        HieraEfficiencySums sums = hiera_efficiency_sums_unpack(search->of->trace, from);
        char *key = key_of(&sums);
        guint place = GPOINTER_TO_UINT(g_hash_table_lookup(search->places, key));
        if (place == 0) {
            g_array_append_val(all, sums);
            g_hash_table_insert(search->places, key, GUINT_TO_POINTER(all->len));
            continue;
        }
        hiera_efficiency_sums_join(peek_sums(search, place - 1), &sums);
        g_free(key);
    }
}

GArray *hiera_efficiency_sums_find(const HieraMatch *match, const HieraDependences *of, const HieraIdealRun *ideal,
                                   const HieraScope *scope, HieraTable *table)
{
    g_autoptr(GArray) units = g_array_new(FALSE, FALSE, sizeof(HieraEfficiencyUnit));
    g_autoptr(GHashTable) places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Search search = {.match = match, .of = of, .ideal = ideal, .units = units, .places = places};
    HieraEfficiencyRegions *regions = &search.regions;
    hiera_efficiency_regions_init(regions, of->trace, scope,
                                  (HieraEfficiencyBy)hiera_scope_find_by(scope, HIERA_EFFICIENCY_BY), table);
    if (is_whole(regions)) {
        HieraEfficiencySums run = {.region = "", .unsure_processor = HIERA_NONE, .processor = HIERA_NONE};
        g_array_append_val(regions->sums, run);
    }
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        if (hiera_scope_accepts_rank(scope, of->trace->processors[i].rank) && hiera_scope_is_own(scope, i))
            add_processor(&search, i);
    }
    for (guint i = 0; i < regions->sums->len; i++)
        turn_to(peek_sums(&search, i), HIERA_NONE);
    hiera_scope_gather_others(scope, of->trace, pack_sums, unpack_sums, &search);
    if (!hiera_scope_leads(scope)) {
        hiera_efficiency_regions_clear(regions);
        return regions->sums;
    }
    if (is_whole_time(regions))
        add_run(&search, peek_sums(&search, 0));
    const char *of_threads = hiera_unrecorded_of(of->trace, scope);
    for (guint i = 0; i < regions->sums->len; i++) {
        HieraEfficiencySums *sums = peek_sums(&search, i);
        sums->past = hiera_trace_peek_past(of->trace);
        hiera_efficiency_sums_name_threads(sums, of_threads);
    }
    g_array_sort(regions->sums, compare_sums);
    hiera_efficiency_regions_clear(regions);
    return regions->sums;
}
