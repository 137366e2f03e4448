/* See run.h. The order is: read, match, measure, then write all answers. */
#include "run.h"
#include "base/output_file.h"
#include "checks/checks.h"
#include "cli/findings/rules.h"
#include "cli/options/advice.h"
#include "cli/options/assert_file.h"
#include "cli/options/probe_option.h"
#include "cli/options/report.h"
#include "cli/options/shape.h"
#include "convert/conversions.h"
#include "hiera_graph.h"
#include "identity_check.h"
#include "matching/match.h"
#include "measures.h"
#include "needs.h"
#include "parallel/parallel.h"
#include "run_together.h"

static gboolean measure_one(const Run *run, const HieraMeasure *measure, HieraTable *table, GError **error)
{
    const HieraScope *scope = &run->narrowed;
    if (measure->graph && run->graph)
        return measure->graph(run->graph, scope, table, error);
    return !measure->find || measure->find(run->match, scope, table, error);
}

static gboolean measure(Run *run, GError **error)
{
    for (guint i = 0; i < run->options->measures->len; i++) {
        const HieraMeasure *measure = needs_peek_measure(run->options, i);
        HieraTable *table = g_ptr_array_index(run->tables, i);
        if (!measure_one(run, measure, table, error))
            return FALSE;
        if (!hiera_measure_is(measure, HIERA_MEASURE_ORDERED))
            hiera_table_settle(table);
        hiera_table_check(table, run->findings);
        if (run->options->references)
            hiera_table_refer(table, hiera_reference_find(measure->name, run->options->by));
        run->failed = run->failed || (hiera_measure_is(measure, HIERA_MEASURE_ASSERTS) && !assert_rows_hold(table));
    }
    return TRUE;
}

/* Write the tables of the measures; if only --validate is given, its report. */
static gboolean write_answers(const Run *run, GError **error)
{
    const Options *options = run->options;
    gboolean nothing = run->tables->len == 0 && !options->validate;
    HieraOutputFile output;
    if (nothing || !hiera_output_file_open(&output, options->output, error))
        return nothing;
    if (options->sarif) {
        sarif_write(run->findings, options->suppressions, output.stream);
    } else if (run_reports_validation(run)) {
        const HieraScope all = HIERA_SCOPE_ALL;
        g_autoptr(GPtrArray) tables = run->checked ? g_ptr_array_ref(run->check_tables)
                                                   : hiera_check_make_tables(run->match, &all, run->findings);
        report_validation(run->findings, tables, output.stream);
        report_suppressed(options->suppressions, output.stream);
    } else {
        options_write_tables(options, (HieraTable *const *)run->tables->pdata, run->tables->len, run->findings,
                             output.stream);
    }
    return hiera_output_file_close(&output, TRUE, error);
}

/* Whether to go on: what process 0 decides, for all processes. @param good its decision, unused in the others */
static gboolean goes_on(const Run *run, gboolean good)
{
    return hiera_scope_agree(&run->narrowed, good);
}

/* Run --probe, and write its output. @param good  FALSE: an earlier answer failed, so write nothing */
static gboolean write_probed(Run *run, gboolean good, GError **error)
{
    gboolean whole = TRUE;
    if (!run->options->probe)
        return good;
    if (!goes_on(run, good) || !probe_option_run(run->match, &run->narrowed, run->options, &whole, error))
        return FALSE;
    run->failed = run->failed || !whole;
    return TRUE;
}

/* Write the export. @param good  FALSE: an earlier answer failed, so write nothing */
static gboolean write_export(const Run *run, gboolean good, GError **error)
{
    const HieraExport *export = run->options->export;
    const HieraExportInput input = {run->match, &run->narrowed, run->processors};
    if (!export)
        return good;
    return goes_on(run, good) && export->write(&input, run->options->export_to, error);
}

/* Write the page of --html. @param good  FALSE: an earlier answer failed, so write nothing */
static gboolean write_page(const Run *run, gboolean good, GError **error)
{
    if (!good && run->page_together)
        page_give_up(&run->narrowed);
    if (!good || !run->options->html)
        return good;
    return page_write(run->match, &run->narrowed, run->findings, run->options, run->page, error);
}

static gboolean serve_page(const Run *run, GError **error)
{
    return !run->options->serve || page_serve(run->match, &run->narrowed, run->findings, run->options, error);
}

static void show_stage(Run *run, const char *name)
{
    if (run->says_progress)
        progress_stage(&run->progress, name);
}

/* Find the partners of all operations, and build the graph, as far as they are needed. Processes that have
 * distributed the operations have no graph. */
static gboolean connect_operations(Run *run, GError **error)
{
    gboolean graph = needs_graph(run->options) && !run->sharing.apart;
    if ((needs_match(run->options) || (needs_graph(run->options) && !graph)) && !run->match) {
        show_stage(run, "matching");
        run->match = hiera_match_build(run->trace);
    }
    if (graph) {
        show_stage(run, run->match ? "building the graph" : "matching, and building the graph");
        run->graph = hiera_graph_build(run->trace, run->match, error);
    }
    return run->graph || !graph;
}

static gboolean make_answers(Run *run, GError **error)
{
    if (run->trace && !connect_operations(run, error))
        return FALSE;
    show_stage(run, "measuring");
    if (run->options->where && !run_choose(run, error))
        return FALSE;
    if (!run_gather_left_over(run, error))
        return FALSE;
    if (run->options->validate && !run->checked) {
        hiera_match_check(run->match, run->findings);
        identity_check(run->match, run->findings);
    }
    return measure(run, error);
}

/* Print notes on the results. They need all rows and columns, so print them before --columns, --sort and --top
 * shorten the tables. */
static void remark(const Run *run)
{
    g_autofree char *note = run->scope ? scope_check_note(run->scope) : NULL;
    g_autofree char *advice = advice_on_sites(run->tables);
    if (note && !run->options->quiet)
        report_message(note);
    if (advice && !run->options->quiet)
        report_message(advice);
}

static gboolean analyse(Run *run, GError **error)
{
    gboolean good = make_answers(run, error);
    progress_end(&run->progress);
    if (good)
        remark(run);
    if (run->options->suppressions)
        suppressions_apply(run->options->suppressions, run->findings);
    for (guint i = 0; good && i < run->tables->len; i++)
        shape_apply(&run->options->shape, g_ptr_array_index(run->tables, i));
    good = good && write_answers(run, error);
    good = write_probed(run, good, error);
    good = write_export(run, good, error);
    return write_page(run, good, error);
}

/* Print, on standard error, the findings that standard output does not have. */
static void report(const Run *run)
{
    const Options *options = run->options;
    gboolean measured = run->tables->len > 0;
    gboolean tables = measured || (options->validate && options->format == HIERA_FORMAT_JSON);
    Said said = options->sarif ? SAID_ALL : tables ? report_said_by(options->format) : SAID_NOTHING;
    if (measured || !options->validate || said == SAID_ALL)
        report_findings(run->findings, said, options->quiet);
}

static int exit_status(const Run *run)
{
    if (hiera_findings_unreadable(run->findings))
        return EXIT_UNREADABLE;
    gboolean failed = FALSE;
    for (int severity = run->options->fails; severity <= HIERA_SEVERITY_ERROR; severity++)
        failed = failed || hiera_findings_count_severity(run->findings, (HieraSeverity)severity) > 0;
    return run->failed || (run->options->validate && failed) ? EXIT_CHECK_FAILED : EXIT_GOOD;
}

/* Take part in the export of process 0, as one of the other processes. */
static void follow_export(const Run *run, GError **error)
{
    const HieraExport *export = run->options->export;
    if (export && export->need != HIERA_EXPORT_OF_FILES && run->sharing.apart)
        write_export(run, TRUE, error);
    else if (export && export->need == HIERA_EXPORT_OF_FILES && goes_on(run, TRUE))
        hiera_conversions_follow();
}

/* Take part, in a process other than 0, in what follows after the measures: --probe, the export, the page. */
static void follow(Run *run, GError **error)
{
    GError *of_probe = NULL; /* dropped, because process 0 gets and prints the same error */
    if (!*error && run->sharing.apart)
        write_probed(run, TRUE, &of_probe);
    g_clear_error(&of_probe);
    if (!*error)
        follow_export(run, error);
    if (run->page_together)
        page_follow(run->match, &run->narrowed, run->findings, run->options);
}

int run(const Options *options)
{
    g_autoptr(GError) error = NULL;
    Run all;
    int status = EXIT_UNREADABLE;
    guint n = run_read_together(&all, options, &error);
    if (!hiera_parallel_leads())
        follow(&all, &error);
    else if (n == 0)
        report_findings(all.findings, SAID_NOTHING, options->quiet);
    else if (!error && analyse(&all, &error)) {
        report(&all);
        if (serve_page(&all, &error))
            status = exit_status(&all);
    }
    if (error) {
        report_message(error->message);
        status = EXIT_WRONG_USE; /* also if an output cannot be written or the graph does not fit into memory */
    }
    run_clear(&all);
    return status;
}

gboolean run_tables(const Options *options, gboolean tell, RunUse *use, gpointer user, GError **error)
{
    Run all;
    GError *wrong = NULL;
    if (run_read_together(&all, options, &wrong) > 0 && !wrong && make_answers(&all, &wrong))
        use(all.tables, all.catalog, user);
    progress_end(&all.progress);
    if (tell)
        report_findings(all.findings, SAID_NOTHING, options->quiet);
    run_clear(&all);
    if (wrong)
        g_propagate_error(error, wrong);
    return !wrong;
}
