/* Two or more runs side by side: the time of each call path, per rank, and what has changed. The first run is the
 * reference; the others are repeats of the run that is compared with it. With --by repeat all runs are repeats.
 *
 * The call trees of all runs are aligned (tree_alignment.h). Times are means over the ranks of a run, so that runs with
 * different numbers of ranks can be compared. */
#include "calls/call_paths.h"
#include "calls/call_times.h"
#include "diff_parts.h"
#include "measures.h"
#include "run_waits.h"
#include "waiting/measured_waits.h"

#define WORDS "reference,waiting,repeat"

static const HieraColumn against_columns[] = {
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_KEY},       {"time_a", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"time_b", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},     {"change", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"own", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},     {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},   {"calls_a", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"calls_b", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL}, {"max_a", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"max_b", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},   {"noise", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"level", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},      {"verdict", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},
    {"why", HIERA_CELL_SENTENCE, HIERA_ROLE_TELLING},
};

static const HieraColumn waiting_columns[] = {
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_KEY},         {"change", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"computation", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},  {"communication", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"waiting", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},      {"idle", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"time_a", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},    {"time_b", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"waiting_a", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"waiting_b", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},     {"noise", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"level", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},        {"verdict", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},
    {"why", HIERA_CELL_SENTENCE, HIERA_ROLE_TELLING},
};

static const HieraColumn repeat_columns[] = {
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_KEY},      {"level", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"calls", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},  {"runs", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"least", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},  {"most", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},      {"noise", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
};

static const char *level_of(const HieraDiff *diff, const HieraDiffRow *row)
{
    const HieraCallTimes *times = diff->runs[row->shown].all;
    guint32 node = hiera_tree_alignment_node(&diff->alignment, row->place, row->shown);
    guint32 site = hiera_call_tree_peek(times->tree, node)->site;
    return site < HIERA_CALL_NO_SITE ? hiera_catalog_peek_site(diff->runs[row->shown].catalog, site)->level : "";
}

static const char *verdict_of(const HieraDiffRow *row)
{
    static const char *const verdicts[] = {"same", "faster", "slower", "noise", "only in a", "only in b", "unknown"};
    return verdicts[row->verdict];
}

static void add_against(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table)
{
    hiera_table_add(table, (HieraCell[]){{.text = hiera_diff_path(diff, row, table)},
                                         {.number = row->a.time_ns},
                                         {.number = row->b.time_ns},
                                         {.number = row->change_ns},
                                         {.number = hiera_minus(row->b.own_ns, row->a.own_ns)},
                                         {.number = hiera_minus(row->b.mpi_ns, row->a.mpi_ns)},
                                         {.number = row->share},
                                         {.number = row->a.calls},
                                         {.number = row->b.calls},
                                         {.number = row->a.max_ns},
                                         {.number = row->b.max_ns},
                                         {.number = row->noise_ns},
                                         {.text = level_of(diff, row)},
                                         {.text = verdict_of(row)},
                                         {.text = hiera_diff_why(diff, row, table)}});
}

static void add_waiting(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table)
{
    gint64 mpi_ns = hiera_minus(row->b.mpi_ns, row->a.mpi_ns);
    gint64 waiting_ns = hiera_minus(row->b.waiting_ns, row->a.waiting_ns);
    hiera_table_add(table, (HieraCell[]){{.text = hiera_diff_path(diff, row, table)},
                                         {.number = row->change_ns},
                                         {.number = hiera_diff_computation(row)},
                                         {.number = hiera_minus(mpi_ns, waiting_ns)},
                                         {.number = waiting_ns},
                                         {.number = hiera_minus(row->b.idle_ns, row->a.idle_ns)},
                                         {.number = row->a.time_ns},
                                         {.number = row->b.time_ns},
                                         {.number = row->a.waiting_ns},
                                         {.number = row->b.waiting_ns},
                                         {.number = row->share},
                                         {.number = row->noise_ns},
                                         {.text = level_of(diff, row)},
                                         {.text = verdict_of(row)},
                                         {.text = hiera_diff_why(diff, row, table)}});
}

static void add_repeat(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table)
{
    hiera_table_add(table, (HieraCell[]){{.text = hiera_diff_path(diff, row, table)},
                                         {.text = level_of(diff, row)},
                                         {.number = row->b.calls},
                                         {.number = row->b.runs},
                                         {.number = row->least_ns},
                                         {.number = row->most_ns},
                                         {.number = row->b.time_ns},
                                         {.number = row->noise_ns},
                                         {.number = row->share}});
}

typedef void (*AddRow)(const HieraDiff *diff, const HieraDiffRow *row, HieraTable *table);

static void add_rows(const HieraDiff *diff, AddRow add, HieraTable *table)
{
    for (guint i = 0; i < diff->rows->len; i++)
        add(diff, &g_array_index(diff->rows, HieraDiffRow, i), table);
}

static void limit_further(const HieraDiff *diff, HieraTable *table)
{
    gboolean has_further = FALSE;
    for (guint i = 0; i < diff->n_runs; i++)
        has_further = has_further || diff->threads[i].has_further;
    hiera_table_limit_too(
        table, HIERA_FINDING_MAIN_THREADS,
        has_further ? "diff: the whole run is that of main threads; operations of others are in further threads"
                    : NULL);
}

static void compare_by(AddRow add, const HieraRun *runs, guint n_runs, const HieraScope *scope, HieraTable *table,
                       HieraComparison *comparison)
{
    HieraDiff diff;
    hiera_diff_init(&diff, runs, n_runs, 1);
    add_rows(&diff, add, table);
    comparison->note = hiera_diff_parting(&diff);
    limit_further(&diff, table);
    if (diff.waits && diff.waits->measured)
        hiera_table_limit(table, HIERA_FINDING_SUMS, HIERA_MEASURED_WAITS_LIMIT);
    if (scope->options.fail_above >= 0)
        comparison->failure = hiera_diff_failure(&diff, scope->options.fail_above, table);
    hiera_diff_clear(&diff);
}

static void compare_against(const HieraRun *runs, guint n_runs, const HieraScope *scope, HieraTable *table,
                            HieraComparison *comparison)
{
    compare_by(add_against, runs, n_runs, scope, table, comparison);
}

static void compare_waiting(const HieraRun *runs, guint n_runs, const HieraScope *scope, HieraTable *table,
                            HieraComparison *comparison)
{
    compare_by(add_waiting, runs, n_runs, scope, table, comparison);
}

static void compare_repeats(const HieraRun *runs, guint n_runs, const HieraScope *scope, HieraTable *table,
                            HieraComparison *comparison)
{
    (void)scope, (void)comparison;
    HieraDiff diff;
    hiera_diff_init(&diff, runs, n_runs, 0);
    add_rows(&diff, add_repeat, table);
    hiera_diff_clear(&diff);
}

/* Flags and callbacks common to all forms of the measure. */
#define FLAGS (HIERA_MEASURE_ORDERED | HIERA_MEASURE_WHOLE)
#define EACH(...)                                                                                                      \
    .runs = &(const HieraRunsOps)                                                                                      \
    {                                                                                                                  \
        .each = {.read = {.begin = hiera_call_times_begin_with_calls,                                                  \
                          .operation = hiera_call_times_operation,                                                     \
                          .filtered = hiera_call_times_filtered,                                                       \
                          .summed = hiera_call_times_summed,                                                           \
                          .records = {.own_time = hiera_call_times_own_time},                                          \
                          .pack = hiera_call_times_pack,                                                               \
                          .unpack = hiera_call_times_unpack},                                                          \
                 .open = hiera_call_times_open,                                                                        \
                 .merge = hiera_call_times_merge,                                                                      \
                 .close = close_all},                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog, (void)table;
    hiera_call_times_free(data);
}

/* The `look` of the form by waiting. @return NULL if waiting is not known: the run has sums, and did not measure it */
static gpointer look_at_all(const HieraMatch *match, const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    return trace->summed->len > 0 && !hiera_trace_has_waits(trace) ? NULL : hiera_run_waits_look(match, scope);
}

static const HieraMeasure against = {
    .name = "diff",
    .by = WORDS,
    .flags = FLAGS | HIERA_MEASURE_FAIL_ABOVE,
    .waits = HIERA_WAITS_IF_SMALL,
    .columns = against_columns,
    .n_columns = G_N_ELEMENTS(against_columns),
    EACH(.look = look_at_all, .forget = hiera_run_waits_forget, .compare = compare_against),
};

static const HieraMeasure waiting = {
    .name = "diff",
    .by = WORDS,
    .flags = FLAGS | HIERA_MEASURE_FAIL_ABOVE | HIERA_MEASURE_MEASURED_WAITS,
    .waits = HIERA_WAITS_ALWAYS,
    .columns = waiting_columns,
    .n_columns = G_N_ELEMENTS(waiting_columns),
    EACH(.look = hiera_run_waits_look, .forget = hiera_run_waits_forget, .compare = compare_waiting),
};

static const HieraMeasure repeat = {
    .name = "diff",
    .by = WORDS,
    .columns = repeat_columns,
    .n_columns = G_N_ELEMENTS(repeat_columns),
    .flags = FLAGS,
    EACH(.compare = compare_repeats),
};

static const HieraMeasure *const forms[] = {&against, &waiting, &repeat};

const HieraMeasure hiera_measure_diff = {
    .name = "diff",
    .help = "two or more runs: what became slower; the noise of repeats",
    .by = WORDS,
    .forms = forms,
};
