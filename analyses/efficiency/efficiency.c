/* Efficiencies as the POP project defines them: of the whole run, of regions, of iterations. */
#include "calls/summed_times.h"
#include "calls/timeline.h"
#include "efficiency_factors.h"
#include "measures.h"
#include "paths/shared_replay.h"
#include "scaling.h"
#include "threads/summed_threads.h"
#include "values/outermost.h"
#include "values/unrecorded.h"

static const HieraColumn columns[] = {
    {"region", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"iteration", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"processes", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"useful-mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"useful-max", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"io-mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"efficiency", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    {"load-balance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    {"communication", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},
    {"serialisation", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    {"transfer", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    HIERA_EFFICIENCY_THREAD_COLUMNS{"remark", HIERA_CELL_SENTENCE, HIERA_ROLE_DOUBT},
};

static void add_row(const HieraTrace *trace, const HieraEfficiencySums *sums, HieraTable *table)
{
    const HieraEfficiencyFactors factors = hiera_efficiency_factors(sums);
    g_autofree char *remark = hiera_efficiency_remark(trace, sums);
    hiera_table_add(table, (HieraCell[]){{.text = sums->region},
                                         {.number = sums->iteration},
                                         {.number = sums->processes},
                                         {.number = sums->time_ns},
                                         {.number = factors.useful_mean_ns},
                                         {.number = factors.useful_max_ns},
                                         {.number = factors.io_mean_ns},
                                         {.number = factors.efficiency},
                                         {.number = factors.load_balance},
                                         {.number = factors.communication},
                                         {.number = factors.serialisation},
                                         {.number = factors.transfer},
                                         HIERA_EFFICIENCY_THREAD_CELLS(sums, factors),
                                         {.text = hiera_table_keep(table, remark)}});
}

static void add_span(const HieraTimeSpan *span, gpointer user)
{
    gint64 *does_ns = user;
    does_ns[span->doing] = hiera_plus(does_ns[span->doing], span->end_ns - span->begin_ns);
}

/* Let the share be that of all threads of OpenMP, as far as sums know it. */
static void add_threads(const HieraTrace *trace, guint32 processor, const HieraScope *scope, const gint64 *does_ns,
                        HieraEfficiencyShare *share)
{
    const HieraProcessor *of = &trace->processors[processor];
    HieraSummedThreads threads;
    if (scope->from_ns > of->init_ns || scope->to_ns < of->finalize_ns ||
        !hiera_summed_threads_find(&threads, trace, processor, does_ns))
        return;
    share->n_threads = threads.n_threads;
    share->is_undivided = TRUE;
    share->is_crowded = of->usage.n_cpus > 0 && of->usage.n_cpus < (gint64)threads.n_threads;
    share->useful_ns = threads.times.useful_ns;
    share->io_ns = threads.times.io_ns;
    share->threads = threads.times;
}

static void add_rank(const HieraTrace *trace, guint32 processor, const HieraScope *scope, HieraEfficiencySums *sums)
{
    gint64 does_ns[HIERA_N_DOINGS] = {0};
    hiera_timeline_visit(trace, processor, add_span, does_ns);
    hiera_summed_times_of(trace, processor, scope, does_ns);
    gint64 sums_of_own_ns = hiera_minus(trace->processors[processor].own_ns, does_ns[HIERA_DOES_OWN]);
    gint64 useful_ns = MAX(hiera_minus(does_ns[HIERA_DOES_COMPUTE], sums_of_own_ns), 0);
    HieraEfficiencyShare share = {.useful_ns = useful_ns, .io_ns = does_ns[HIERA_DOES_IO], .n_threads = 1};
    does_ns[HIERA_DOES_COMPUTE] = useful_ns;
    add_threads(trace, processor, scope, does_ns, &share);
    hiera_efficiency_sums_add(sums, &share);
}

typedef struct {
    const HieraTrace *trace;
    HieraEfficiencySums *sums;
} Sums;

static void pack_sums(HieraPacker *to, gpointer user)
{
    hiera_efficiency_sums_pack(((const Sums *)user)->sums, to);
}

static void add_sums(HieraUnpacker *from, gpointer user)
{
    const Sums *all = user;
    HieraEfficiencySums other = hiera_efficiency_sums_unpack(all->trace, from);
    hiera_efficiency_sums_join(all->sums, &other);
}

HieraEfficiencySums hiera_efficiency_of_sums(const HieraTrace *trace, const HieraScope *scope)
{
    HieraEfficiencySums sums = {.region = "", .past = hiera_trace_peek_past(trace)};
    gint64 begin_ns = G_MAXINT64, end_ns = G_MININT64;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (!hiera_scope_accepts_rank(scope, trace->processors[i].rank))
            continue;
        if (hiera_scope_is_own(scope, i))
            add_rank(trace, i, scope, &sums);
        begin_ns = MIN(begin_ns, trace->processors[i].init_ns);
        end_ns = MAX(end_ns, trace->processors[i].finalize_ns);
    }
    Sums all = {trace, &sums};
    hiera_scope_gather_others(scope, trace, pack_sums, add_sums, &all);
    sums.time_ns = sums.processes > 0 ? hiera_minus(end_ns, begin_ns) : 0;
    sums.ideal_ns = HIERA_UNKNOWN;
    hiera_efficiency_sums_name_threads(&sums, hiera_unrecorded_of(trace, scope));
    return sums;
}

/* Efficiencies from profiles. Profiles have no order of calls, so there is no ideal run, and the factors that need it
 * are unknown. */
static gboolean find_of_sums(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    if (hiera_scope_has_units(scope) || hiera_scope_find_by(scope, HIERA_EFFICIENCY_BY) != HIERA_EFFICIENCY_RUN) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                    "--measure efficiency of a part of the run needs single operations, and these traces have sums; "
                    "record single operations with HIERA_MODE=trace");
        return FALSE;
    }
    HieraEfficiencySums sums = hiera_efficiency_of_sums(trace, scope);
    if (sums.processes > 0)
        add_row(trace, &sums, table);
    hiera_efficiency_sums_clear(&sums);
    hiera_unrecorded_limit(trace, scope, table);
    hiera_queued_limit(trace, scope, NULL, table);
    hiera_table_limit(table, HIERA_FINDING_SUMS, "profiles have sums: serialisation and transfer are not known");
    return TRUE;
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    if (hiera_trace_has_sums(hiera_match_peek_trace(match)))
        return find_of_sums(match, scope, table, error);
    const HieraDependences *of = hiera_dependences_of_scope(match, scope);
    const HieraScope times = hiera_efficiency_scope(scope, of->trace);
    HieraIdealRun ideal;
    hiera_ideal_run_find(&ideal, of, &times, !hiera_efficiency_is_whole(&times));
    g_autoptr(GArray) sums = hiera_efficiency_sums_find(match, of, &ideal, &times, table);
    HieraUnrecorded unrecorded = hiera_unrecorded_find(of->trace, scope);
    for (guint i = 0; i < sums->len; i++) {
        const HieraEfficiencySums *row = &g_array_index(sums, HieraEfficiencySums, i);
        if (row->processes > 0)
            add_row(of->trace, row, table);
        if (row->teams)
            unrecorded.of_threads = HIERA_OF_RECORDED_THREADS;
    }
    if (hiera_scope_leads(scope) && hiera_table_count(table) == 0)
        hiera_main_threads_limit(of->trace, scope, HIERA_EFFICIENCY_NOTHING, HIERA_EFFICIENCY_NOTHING, table);
    hiera_unrecorded_limit_of(&unrecorded, table);
    hiera_queued_limit(of->trace, scope, NULL, table);
    hiera_ideal_run_clear(&ideal);
    return TRUE;
}

const HieraMeasure hiera_measure_efficiency = {
    .name = "efficiency",
    .help = "parallel efficiency and its factors (POP)",
    .by = HIERA_EFFICIENCY_BY,
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .of_runs = &hiera_scaling,
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_SUMS | HIERA_MEASURE_TOGETHER,
    .find = find,
};
