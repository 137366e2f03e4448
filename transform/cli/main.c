/* Main program of hiera-transform, the command line of libhiera-graph. It reads the traces once for all measures. */
#include "cli/assert/assert_reports.h"
#include "cli/assert/assert_runs.h"
#include "cli/assert/assert_values.h"
#include "cli/findings/rules.h"
#include "cli/options/assert_options.h"
#include "cli/options/bare_options.h"
#include "cli/options/measure_forms.h"
#include "cli/options/measure_names.h"
#include "cli/options/options.h"
#include "cli/options/report.h"
#include "cli/run/heap.h"
#include "cli/run/live.h"
#include "cli/run/recover.h"
#include "cli/run/run.h"
#include "cli/run/runs.h"
#include "hiera_graph.h"
#include "parallel/parallel.h"
#include <locale.h>
#include <string.h>

/* Compute the values that rules need from measures or from other runs, before the rules are judged. */
static gboolean answer_rules(const Options *options, GError **error)
{
    gboolean good = assert_values_answer(options, error) && (!options->baseline || assert_runs_compare(options, error));
    if (good)
        assert_values_share(options->rules);
    return good;
}

/* Do what the options ask for. @return the exit status */
static int work(const Options *options)
{
    g_autoptr(GError) error = NULL;
    heap_tune(options);
    if (options->rules && !options->estimate && !options->quiet)
        assert_options_note_limits(options->rules);
    if (options->live && !live_begin(options, &error)) {
        report_message(error->message);
        return EXIT_WRONG_USE;
    }
    if (options->reports)
        return assert_reports_run(options);
    if (options->estimate)
        return assert_runs_estimate(options);
    if (options->rules && !answer_rules(options, &error)) {
        report_message(error->message);
        return EXIT_WRONG_USE;
    }
    return measures_compare_runs(options->measures) ? compare_runs(options) : run(options);
}

/* Do what the options ask for, together with other processes that mpirun has started. @return the exit status */
static int work_together(const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (!hiera_parallel_begin(&error)) {
        report_message(error->message);
        return EXIT_WRONG_USE;
    }
    if (options->reports)
        hiera_parallel_go_alone();
    gboolean idle = options->reports && !hiera_parallel_leads();
    gboolean renews = options->live && options->serve;
    int status = idle ? EXIT_GOOD : renews ? live_serve(options, work, &error) : work(options);
    if (error) {
        report_message(error->message);
        status = EXIT_WRONG_USE;
    }
    live_end();
    return hiera_parallel_end(status);
}

/* Explain a rule of --validate, or list them. @return the exit status */
static int explain(const char *name)
{
    g_autoptr(GError) error = NULL;
    if (strcmp(name, "list") == 0) {
        rules_list(stdout);
        return EXIT_GOOD;
    }
    const Rule *rule = rules_find("--explain", name, &error);
    if (rule)
        rules_explain(rule, stdout);
    else
        report_message(error->message);
    return rule ? EXIT_GOOD : EXIT_WRONG_USE;
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C"); /* numbers in CSV and JSON need a decimal point, whatever the locale */
    hiera_parallel_silence();
    g_autoptr(GError) error = NULL;
    bare_options_fill(argc, argv);
    g_autoptr(Options) options = options_parse(argc, argv, &error);
    if (!options) {
        report_lines(error->message);
        return EXIT_WRONG_USE;
    }
    if (options->version) {
        printf("hiera-transform %s\n", HIERA_VERSION);
        return EXIT_GOOD;
    }
    if (options->explain)
        return explain(options->explain);
    if (options->recover)
        return recover_run(options->recover);
    if (options->list) {
        measure_names_list(stdout);
        return EXIT_GOOD;
    }
    return work_together(options);
}
