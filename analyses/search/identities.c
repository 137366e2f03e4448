/* Checks that numbers of different measures agree; see identities.h. */
#include "identities.h"
#include "alike/imbalance.h"
#include "calls/timeline.h"
#include "causes/delays.h"
#include "causes/rank_times.h"
#include "causes/shared_causes.h"
#include "efficiency/efficiency_sums.h"
#include "efficiency/over_time_rows.h"
#include "measures.h"
#include "paths/shared_replay.h"
#include "threads/thread_waits.h"
#include <string.h>

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    const GArray *waits;
    HieraIdentityVisit visit;
    gpointer user;
} Check;

static G_GNUC_PRINTF(2, 3) void report(const Check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *broken = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    check->visit(broken, check->user);
}

static gboolean differ(gint64 a, gint64 b)
{
    return a != b && a != HIERA_TOO_LARGE && b != HIERA_TOO_LARGE;
}

/* Return the run time of a processor; 0 if it ends before it begins, since its timeline is empty then. */
static gint64 run_of(const HieraProcessor *processor)
{
    return MAX(hiera_minus(processor->finalize_ns, processor->init_ns), 0);
}

/* --- identity 1: times of a rank --- */

static void add_span(const HieraTimeSpan *span, gpointer sum)
{
    *(gint64 *)sum = hiera_plus(*(gint64 *)sum, hiera_minus(span->end_ns, span->begin_ns));
}

static void add_node(guint32 node, gint64 time_ns, gpointer sum)
{
    (void)node;
    *(gint64 *)sum = hiera_plus(*(gint64 *)sum, time_ns);
}

/* Return the sum of a rank's times in its call paths and in its waits. */
static gint64 sum_paths(const HieraRankTimes *times, const HieraProcessor *processor)
{
    gint64 sum_ns = 0;
    hiera_rank_times_visit(times, processor->init_ns, processor->finalize_ns, add_node, &sum_ns);
    for (guint i = 0; i + 1 < times->n_segments; i++) {
        if (times->place[i] == HIERA_NONE)
            sum_ns = hiera_plus(sum_ns, hiera_minus(times->start_ns[i + 1], times->start_ns[i]));
    }
    return sum_ns;
}

static void check_ranks(const Check *check, const HieraDelays *delays)
{
    for (guint32 i = 0; i < check->trace->n_processors; i++) {
        const HieraProcessor *processor = &check->trace->processors[i];
        if (!hiera_scope_is_own(check->scope, i))
            continue;
        gint64 spans_ns = 0, run_ns = run_of(processor);
        gint64 paths_ns = sum_paths(&delays->times[i], processor);
        hiera_timeline_visit(check->trace, i, add_span, &spans_ns);
        if (differ(spans_ns, run_ns))
            report(check, "the spans of rank %u take %" G_GINT64_FORMAT " ns, its run %" G_GINT64_FORMAT " ns",
                   processor->rank, spans_ns, run_ns);
        if (differ(paths_ns, run_ns))
            report(check, "the call paths of rank %u take %" G_GINT64_FORMAT " ns, its run %" G_GINT64_FORMAT " ns",
                   processor->rank, paths_ns, run_ns);
    }
}

/* --- identity 2: the critical path --- */

static gint64 find_run_time(const HieraTrace *trace)
{
    gint64 first_ns = G_MAXINT64, last_ns = G_MININT64;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        first_ns = MIN(first_ns, trace->processors[i].init_ns);
        last_ns = MAX(last_ns, trace->processors[i].finalize_ns);
    }
    return hiera_minus(last_ns, first_ns);
}

static HieraTable *make_table(const Check *check, const HieraMeasure *measure, const char *by)
{
    HieraTable *table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    HieraScope scope = *check->scope;
    scope.options.by = by;
    (void)measure->find(check->match, &scope, table, NULL);
    return table;
}

static gint64 sum_column(const HieraTable *table, const char *name)
{
    gint64 sum = 0;
    guint n, column = 0;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n);
    while (strcmp(columns[column].name, name) != 0)
        column++;
    for (guint i = 0; i < hiera_table_count(table); i++)
        sum = hiera_plus(sum, hiera_table_peek_row(table, i)[column].number);
    return sum;
}

static void check_path(const Check *check)
{
    g_autoptr(HieraTable) table = make_table(check, &hiera_measure_critical_path, NULL);
    gint64 sum_ns = sum_column(table, "time"), run_ns = find_run_time(check->trace);
    if (hiera_scope_leads(check->scope) && differ(sum_ns, run_ns))
        report(check, "the critical path takes %" G_GINT64_FORMAT " ns, the run %" G_GINT64_FORMAT " ns", sum_ns,
               run_ns);
}

/* --- identity 3: efficiencies --- */

/* The rows of `threads` are the idle time that the efficiency has. */
static void check_threads(const Check *check, const HieraEfficiencySums *run)
{
    HieraThreadWaits waits;
    gint64 sum_ns = 0, idle_ns = hiera_plus(hiera_plus(run->serial_ns, run->balance_ns), run->scheduling_ns);
    hiera_thread_waits_find(&waits, check->match, check->scope);
    for (guint i = 0; i < waits.rows->len; i++)
        sum_ns = hiera_plus(sum_ns, g_array_index(waits.rows, HieraThreadWait, i).time_ns);
    hiera_thread_waits_clear(&waits);
    if (hiera_scope_leads(check->scope) && (differ(sum_ns, idle_ns) || run->serial_ns < 0))
        report(check,
               "threads idle for %" G_GINT64_FORMAT " ns; in the efficiency for %" G_GINT64_FORMAT
               " ns, %" G_GINT64_FORMAT " ns of them outside of parallel regions",
               sum_ns, idle_ns, run->serial_ns);
}

static void check_sum(const Check *check, const HieraTable *table, const char *column, const char *by, gint64 all_ns)
{
    gint64 sum_ns = sum_column(table, column);
    if (differ(sum_ns, all_ns))
        report(check,
               "all threads are %s for %" G_GINT64_FORMAT " ns in %s --by %s, in the efficiency for %" G_GINT64_FORMAT
               " ns",
               column, sum_ns, hiera_table_peek_title(table), by, all_ns);
}

/* What all threads do, by region and over time, is what the efficiency has. */
static void check_all_threads(const Check *check, const HieraEfficiencySums *run)
{
    gboolean are_threaded = FALSE;
    for (guint32 i = 0; i < check->trace->n_processors; i++)
        are_threaded = are_threaded || check->trace->processors[i].threaded;
    if (!are_threaded)
        return;
    g_autoptr(HieraTable) regions = make_table(check, &hiera_imbalance_by_region, "region"),
                          parts = make_table(check, &hiera_over_time_idle, "idle");
    if (!hiera_scope_leads(check->scope))
        return;
    if (hiera_table_count(regions) > 0)
        check_sum(check, regions, "useful", "region", run->useful_ns);
    check_sum(check, parts, "useful", "idle", run->useful_ns);
    check_sum(check, parts, "idle", "idle",
              hiera_plus(hiera_plus(run->serial_ns, run->balance_ns), run->scheduling_ns));
}

static void check_ideal(const Check *check)
{
    const HieraMeasure *measure = &hiera_measure_efficiency;
    g_autoptr(HieraTable) table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    const HieraDependences *of = hiera_dependences_of_scope(check->match, check->scope);
    HieraIdealRun ideal;
    hiera_ideal_run_find(&ideal, of, check->scope, TRUE);
    g_autoptr(GArray) rows = hiera_efficiency_sums_find(check->match, of, &ideal, check->scope, table);
    hiera_ideal_run_clear(&ideal);
    const HieraEfficiencySums none = {0}, *run = rows->len > 0 ? &g_array_index(rows, HieraEfficiencySums, 0) : &none;
    if (hiera_scope_leads(check->scope) && rows->len > 0 &&
        (run->most_useful_ns > run->ideal_ns || run->ideal_ns > run->time_ns) &&
        run->most_useful_ns != HIERA_TOO_LARGE && run->ideal_ns != HIERA_TOO_LARGE)
        report(check,
               "useful time, ideal run and run should rise: %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
               ", %" G_GINT64_FORMAT " ns",
               run->most_useful_ns, run->ideal_ns, run->time_ns);
    check_threads(check, run);
    check_all_threads(check, run);
}

/* --- identity 4: waits --- */

static void check_waits(const Check *check)
{
    const HieraTrace *trace = check->trace;
    for (guint i = 0; i < check->waits->len; i++) {
        const HieraWait *wait = &g_array_index(check->waits, HieraWait, i), *last = i > 0 ? wait - 1 : NULL;
        guint32 of = hiera_trace_find_processor(trace, wait->row);
        const HieraProcessor *processor = &trace->processors[of];
        gint64 from_ns = last && last->row == wait->row ? last->end_ns : trace->start_ns[wait->row];
        gint64 until_ns = MIN(trace->finish_ns[wait->row], processor->finalize_ns);
        if (!hiera_scope_is_own(check->scope, of))
            continue;
        if (wait->begin_ns < MAX(from_ns, processor->init_ns) || wait->end_ns <= wait->begin_ns ||
            wait->end_ns > until_ns)
            report(check, "a wait of rank %u, from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " ns, is not in its call",
                   processor->rank, wait->begin_ns, wait->end_ns);
    }
}

/* --- identity 5: causes of waits --- */

static gint64 *find_sum(GArray *sums, guint32 node, guint8 class)
{
    guint place = node * HIERA_N_WAITS + class;
    if (place >= sums->len)
        g_array_set_size(sums, place + 1);
    return &g_array_index(sums, gint64, place);
}

typedef struct {
    GArray *sums;  /* gint64 by (node, class): waiting time (find_sum) */
    gint64 all_ns; /* sum of all waiting times */
} WaitSums;

/* Add the waiting times of this process's processors. */
static void add_waits(const Check *check, const HieraCallPaths *paths, WaitSums *waits)
{
    for (guint i = 0; i < check->waits->len; i++) {
        const HieraWait *wait = &g_array_index(check->waits, HieraWait, i);
        if (!hiera_scope_is_own(check->scope, hiera_trace_find_processor(check->trace, wait->row)))
            continue;
        gint64 *sum = find_sum(waits->sums, paths->node[wait->row], wait->class),
               time_ns = hiera_minus(wait->end_ns, wait->begin_ns);
        *sum = hiera_plus(*sum, time_ns);
        waits->all_ns = hiera_plus(waits->all_ns, time_ns);
    }
}

static void pack_waits(HieraPacker *to, gpointer user)
{
    const WaitSums *own = user;
    hiera_pack_number(to, own->all_ns);
    hiera_pack_array(to, own->sums);
}

static void unpack_waits(HieraUnpacker *from, gpointer user)
{
    WaitSums *all = user;
    g_autoptr(GArray) sums = g_array_new(FALSE, FALSE, sizeof(gint64));
    all->all_ns = hiera_plus(all->all_ns, hiera_unpack_number(from));
    hiera_unpack_array(from, sums);
    if (sums->len > all->sums->len)
        g_array_set_size(all->sums, sums->len);
    for (guint i = 0; i < sums->len; i++) {
        gint64 *sum = &g_array_index(all->sums, gint64, i);
        *sum = hiera_plus(*sum, g_array_index(sums, gint64, i));
    }
}

/* Return, in process 0, the waiting times of all processes; in others, the own ones. */
static WaitSums sum_waits(const Check *check, const HieraCallPaths *paths)
{
    WaitSums sums = {g_array_new(FALSE, TRUE, sizeof(gint64)), 0};
    add_waits(check, paths, &sums);
    hiera_scope_gather_others(check->scope, check->trace, pack_waits, unpack_waits, &sums);
    return sums;
}

/* Check the causes. An indirect cause is counted where its chain ends, so only the total must equal that of the waits.
 */
static void check_causes(const Check *check, const HieraCallPaths *paths, const HieraDelays *delays)
{
    const WaitSums waits = sum_waits(check, paths);
    g_autoptr(GArray) sums = waits.sums;
    gint64 waits_ns = waits.all_ns, causes_ns = 0;
    if (!hiera_scope_leads(check->scope))
        return;
    for (guint i = 0; i < delays->list->len; i++) {
        const HieraDelay *delay = &g_array_index(delays->list, HieraDelay, i);
        gint64 *sum = find_sum(sums, delay->at, delay->class);
        *sum = hiera_minus(*sum, delay->direct_ns);
        causes_ns = hiera_plus(causes_ns, hiera_plus(delay->direct_ns, delay->indirect_ns));
    }
    if (differ(causes_ns, waits_ns))
        report(check, "all waits take %" G_GINT64_FORMAT " ns, their causes %" G_GINT64_FORMAT " ns", waits_ns,
               causes_ns);
    for (guint i = 0; i < sums->len; i++) {
        const HieraSite *site = hiera_call_paths_site(paths, i / HIERA_N_WAITS);
        g_autofree char *place = site ? hiera_site_place(site) : NULL;
        if (site && g_array_index(sums, gint64, i) < 0)
            report(check, "%s in %s (%s) has causes of %" G_GINT64_FORMAT " ns more than there is",
                   hiera_wait_name((HieraWaitClass)(i % HIERA_N_WAITS)), site->operation, place,
                   -g_array_index(sums, gint64, i));
    }
}

void hiera_identities_check(const HieraMatch *match, const HieraScope *scope, HieraIdentityVisit visit, gpointer user)
{
    g_autoptr(GArray) waits = hiera_waits_find(match);
    const Check check = {match, hiera_match_peek_trace(match), scope, waits, visit, user};
    HieraCallPaths paths;
    if (check.trace->n_processors == 0)
        return;
    g_autoptr(HieraDelays) delays = hiera_delays_find_together(match, &paths, waits, scope);
    check_causes(&check, &paths, delays);
    check_ranks(&check, delays);
    hiera_call_paths_clear(&paths);
    check_path(&check);
    check_ideal(&check);
    check_waits(&check);
}
