/* Comparison of runs; see runs.h. Runs are read one after another, each with its own catalog; what the
 * measure keeps of them is handed over together. */
#include "runs.h"
#include "base/findings.h"
#include "base/misuse.h"
#include "base/output_file.h"
#include "cli/options/report.h"
#include "cli/options/run_size.h"
#include "cli/options/scope_check.h"
#include "hiera_match.h"
#include "needs.h"
#include "parallel/parallel.h"
#include "progress.h"
#include "run.h"
#include "sums_check.h"
#include "trace/replay.h"
#include "waiting/waiting.h"
#include "where_stream.h"
#include <string.h>
#include <unistd.h>

typedef struct {
    const HieraRunPaths *paths;
    HieraCatalog *catalog;
    HieraScope scope;    /* scope of the options, narrowed to operations of this run for which --where holds */
    HieraStream *stream; /* what the measure has seen of the run's operations; NULL: the measure makes a digest */
    gpointer digest; /* what the measure keeps of the run's trace; NULL: not made yet, or the measure has a stream */
    gpointer found;  /* result of the measure's callback `look`, which sees the match; NULL: none */
} OneRun;

typedef struct {
    const Options *options;
    const HieraMeasure *measure;
    HieraFindings *findings;
    GPtrArray *paths;  /* HieraRunPaths: trace files of each run */
    OneRun *runs;      /* state of each run, by index in `paths` */
    ScopeCheck *scope; /* checks that the scope selects something in at least one run; NULL: it selects everything */
    gboolean waits;    /* whether the measure needs to know how long operations waited */
    gboolean chosen;   /* whether --where holds for at least one operation of a run */
    gboolean in_memory;
    gboolean unsure;  /* whether --where could not be decided during reading: read again, with `in_memory` */
    gboolean empty;   /* whether a run has no readable trace */
    guint n_measured; /* number of runs that have waiting times measured in the program, as profiles have */
    HieraTable *table;
    HieraComparison comparison;
    Progress progress;
    GError *refused; /* error that a run has sums where single operations are needed; NULL: none */
} Comparison;

static gboolean gets_waits(const Comparison *all)
{
    gboolean waits = all->measure->waits != HIERA_WAITS_NOT;
    for (guint i = 0; all->measure->waits == HIERA_WAITS_IF_SMALL && i < all->paths->len; i++)
        waits = waits && run_is_small(g_ptr_array_index(all->paths, i));
    return waits;
}

/* Begin a comparison. @param in_memory  decide --where with all operations in memory, not while reading */
static void comparison_init(Comparison *all, const Options *options, gboolean in_memory)
{
    const HieraMeasure *measure = g_ptr_array_index(options->measures, 0);
    *all = (Comparison){.options = options, .measure = measure, .in_memory = in_memory};
    all->findings = hiera_findings_new();
    all->paths = hiera_run_paths_expand((const char *const *)options->arguments, all->findings);
    all->runs = g_new0(OneRun, all->paths->len + 1);
    all->waits = gets_waits(all);
    all->table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    if (scope_check_is_narrow(&options->scope))
        all->scope = scope_check_new(&options->scope);
    for (guint i = 0; i < all->paths->len; i++) {
        OneRun *run = &all->runs[i];
        *run = (OneRun){g_ptr_array_index(all->paths, i), hiera_catalog_new(), options->scope, NULL, NULL, NULL};
        if (!measure->runs->digest)
            run->stream = hiera_stream_new(measure, &run->scope, run->catalog, NULL);
    }
}

static void comparison_clear(Comparison *all)
{
    scope_check_free(all->scope);
    hiera_table_free(all->table);
    for (guint i = 0; i < all->paths->len; i++) {
        if (all->runs[i].stream)
            hiera_stream_free(all->runs[i].stream);
        if (all->runs[i].digest)
            all->measure->runs->each.close(all->runs[i].digest, all->runs[i].catalog, NULL);
        if (all->measure->runs->forget)
            all->measure->runs->forget(all->runs[i].found);
        hiera_catalog_free(all->runs[i].catalog);
    }
    g_free(all->runs);
    g_ptr_array_unref(all->paths);
    g_clear_error(&all->refused);
    g_free(all->comparison.note);
    g_free(all->comparison.failure);
    hiera_findings_free(all->findings);
}

static gboolean needs_match_of_runs(const Comparison *all)
{
    const Where *where = all->options->where;
    return all->waits || all->measure->runs->digest || (where && where_needs_match(where));
}

static void take_operations(const HieraMeasure *measure, OneRun *run, const HieraTrace *trace, const HieraMatch *match)
{
    if (measure->runs->digest) {
        run->digest = measure->runs->digest(match, &run->scope);
        return;
    }
    if (run->scope.waiting && measure->runs->look)
        run->found = measure->runs->look(match, &run->scope);
    HieraSink sink = hiera_stream_sink(run->stream);
    if (hiera_measure_is(measure, HIERA_MEASURE_MEASURED_WAITS) && !hiera_trace_has_waits(trace))
        sink.summed = NULL; /* leave sums out, because the waiting inside them is not known */
    hiera_trace_replay(trace, run->scope.chosen, &sink);
}

/* Give the operations of a run to the measure, with their waiting times and the result of --where. */
static gboolean hand_over(Comparison *all, OneRun *run, HieraBuilder *builder, const GArray *processors, GError **error)
{
    const Where *where = all->options->where;
    gboolean waits = all->waits;
    g_autoptr(HieraTrace) trace = hiera_builder_take_trace(builder, processors, error);
    if (!trace)
        return FALSE;
    HieraMatch *match = needs_match_of_runs(all) ? hiera_match_build(trace) : NULL;
    g_autofree guint8 *chosen = where ? where_choose(where, trace, match, NULL) : NULL;
    g_autofree gint64 *waiting = waits ? hiera_waits_by_row(match, &run->scope) : NULL;
    all->chosen = all->chosen || !where || memchr(chosen, 1, trace->n_operations);
    run->scope.chosen = chosen;
    run->scope.waiting = waiting;
    take_operations(all->measure, run, trace, match);
    run->scope.chosen = NULL;
    run->scope.waiting = NULL;
    hiera_match_free(match);
    return TRUE;
}

/* Read the traces of a run, and pass their operations to a sink. @return the processors, to be freed */
static GArray *load_run(Comparison *all, const OneRun *run, HieraSink sink)
{
    HieraSink sinks[2] = {sink};
    HieraLoadOptions how = {.name = run->paths->name};
    if (!all->options->quiet && isatty(STDERR_FILENO)) {
        how.progress = progress_read;
        how.progress_user = &all->progress;
    }
    if (all->scope)
        sinks[1] = scope_check_sink(all->scope);
    GArray *processors = hiera_load(run->paths->paths, &how, sinks, all->scope ? 2 : 1, run->catalog, all->findings);
    progress_end(&all->progress);
    if (!all->refused)
        sums_check_run(all->options, all->measure, processors, all->findings, &all->refused);
    all->n_measured += sums_check_waits(processors);
    all->empty = all->empty || processors->len == 0;
    return processors;
}

static gboolean read_into_memory(Comparison *all, OneRun *run, GError **error)
{
    g_autoptr(HieraBuilder) builder = hiera_builder_new(run->catalog, HIERA_KEEP_POSTED);
    g_autoptr(GArray) processors = load_run(all, run, hiera_builder_sink(builder));
    return processors->len == 0 || hand_over(all, run, builder, processors, error);
}

/* Read a run, and decide --where while reading. If that is impossible, `unsure` is set. */
static void read_with_where(Comparison *all, OneRun *run)
{
    HieraSink sink = hiera_stream_sink(run->stream);
    WhereStream *where = where_stream_new(all->options->where, run->catalog, &sink, 1);
    g_array_unref(load_run(all, run, where_stream_sink(where)));
    all->unsure = all->unsure || !where_stream_is_sure(where);
    all->chosen = all->chosen || where_stream_has_chosen(where);
    where_stream_free(where);
}

static gboolean read_run(Comparison *all, OneRun *run, GError **error)
{
    gboolean in_memory = all->waits || all->measure->runs->digest;
    if (!in_memory && !all->in_memory && needs_where_stream(all->options))
        read_with_where(all, run);
    else if (all->options->where || in_memory)
        return read_into_memory(all, run, error);
    else
        g_array_unref(load_run(all, run, hiera_stream_sink(run->stream)));
    return TRUE;
}

/* Read all runs. @return FALSE: an error is set, or a run has no readable trace */
static gboolean read_runs(Comparison *all, GError **error)
{
    if (all->paths->len < 2)
        return misuse(error,
                      "--measure %s compares runs, but one is named; name two or more folders or "
                      "hieraCollector.xml, each with the traces of one run",
                      all->measure->name);
    for (guint i = 0; i < all->paths->len; i++) {
        if (!read_run(all, &all->runs[i], error))
            return FALSE;
    }
    if (all->refused) {
        g_propagate_error(error, g_steal_pointer(&all->refused));
        return FALSE;
    }
    if (hiera_parallel_agree(all->unsure)) {
        const Options *options = all->options;
        comparison_clear(all);
        comparison_init(all, options, TRUE);
        return read_runs(all, error);
    }
    if (all->empty)
        return FALSE;
    if (all->scope && !scope_check_result(all->scope, error))
        return FALSE;
    if (hiera_measure_is(all->measure, HIERA_MEASURE_MEASURED_WAITS) && all->n_measured > 0 &&
        all->n_measured < all->paths->len)
        return misuse(
            error,
            "--by waiting: some of these runs are profiles, with the waiting at barriers and in N x N collectives "
            "alone (HIERA_SYNC=1), and some have all waiting; record all of them alike");
    return !all->options->where || all->chosen || where_found_nothing(all->findings, error);
}

static gpointer peek_state(const OneRun *run)
{
    return run->stream ? hiera_stream_peek(run->stream) : run->digest;
}

static void measure(Comparison *all)
{
    guint n = all->paths->len;
    g_autofree HieraRun *runs = g_new0(HieraRun, n);
    for (guint i = 0; i < n; i++)
        runs[i] =
            (HieraRun){all->runs[i].paths->name, peek_state(&all->runs[i]), all->runs[i].found, all->runs[i].catalog};
    all->measure->runs->compare(runs, n, &all->options->scope, all->table, &all->comparison);
    hiera_table_check(all->table, all->findings);
    shape_apply(&all->options->shape, all->table);
}

static gboolean write_answer(const Comparison *all, GError **error)
{
    HieraOutputFile output;
    if (!hiera_output_file_open(&output, all->options->output, error))
        return FALSE;
    options_write_tables(all->options, &all->table, 1, all->findings, output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}

/* Print the findings, the measure's note, and which rows exceed --fail-above. @return the exit status */
static int report(const Comparison *all)
{
    gboolean quiet = all->options->quiet;
    report_findings(all->findings, report_said_by(all->options->format), quiet);
    if (all->comparison.note && !quiet)
        report_message(all->comparison.note);
    if (all->measure->waits == HIERA_WAITS_IF_SMALL && !all->waits && !quiet)
        report_message("the traces are large, so their waiting was not looked for; --by waiting does it");
    if (!all->comparison.failure)
        return hiera_findings_unreadable(all->findings) ? EXIT_UNREADABLE : EXIT_GOOD;
    g_autofree char *message = g_strconcat("slower than --fail-above allows\n", all->comparison.failure, NULL);
    report_lines(message);
    return hiera_findings_unreadable(all->findings) ? EXIT_UNREADABLE : EXIT_CHECK_FAILED;
}

int compare_runs(const Options *options)
{
    g_autoptr(GError) error = NULL;
    Comparison all;
    comparison_init(&all, options, FALSE);
    int status = EXIT_UNREADABLE;
    if (read_runs(&all, &error)) {
        measure(&all);
        if (write_answer(&all, &error))
            status = report(&all);
    } else if (!error)
        report_findings(all.findings, SAID_NOTHING, options->quiet);
    if (error) {
        report_message(error->message);
        status = EXIT_WRONG_USE; /* also the status if an output cannot be written */
    }
    comparison_clear(&all);
    return status;
}
