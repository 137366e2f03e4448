/* See assert_reports.h. Each rank has left a file in the folder (assertions/outcome_text.h). */
#include "assert_reports.h"
#include "assert_file.h"
#include "assert_traces.h"
#include "asserting/rank_outcomes.h"
#include "assertions/outcome_text.h"
#include "base/findings.h"
#include "base/misuse.h"
#include "base/output_file.h"
#include "measures.h"
#include "report.h"
#include "run.h"
#include <string.h>

typedef struct {
    const Options *options;
    GPtrArray *texts; /* of the files: outcomes have parts of them */
    GArray *outcomes; /* HieraOutcome */
    GHashTable *jobs; /* ids, gint64 → the name of a report */
    GArray *assertions; /* Asserted */
    gint64 missing;   /* ranks that have no report */
    guint n_plain;    /* files whose names do not have the id of a job */
    const char *traces; /* the folder of the traces; NULL: there are none. A part of `texts` */
} Reports;

/* What became of an assertion in the source on a rank. */
typedef struct {
    HieraSourceAssertion assertion; /* its texts are parts of `texts` */
    HieraVerdicts verdicts;
    gint64 rank;
} Asserted;

static void reports_init(Reports *reports, const Options *options)
{
    *reports = (Reports){.options = options};
    reports->texts = g_ptr_array_new_with_free_func(g_free);
    reports->outcomes = g_array_new(FALSE, TRUE, sizeof(HieraOutcome));
    reports->jobs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    reports->assertions = g_array_new(FALSE, FALSE, sizeof(Asserted));
}

static void reports_clear(Reports *reports)
{
    for (guint i = 0; i < reports->outcomes->len; i++) {
        HieraOutcome *outcome = &g_array_index(reports->outcomes, HieraOutcome, i);
        hiera_outcome_clear(reports->options->rules, outcome);
        g_free(outcome->kept);
        g_free(outcome->verdicts);
        g_free(outcome->totals);
        g_free(outcome->unknown);
    }
    g_array_unref(reports->outcomes);
    g_array_unref(reports->assertions);
    g_ptr_array_unref(reports->texts);
    g_hash_table_unref(reports->jobs);
}

/* Count a rank of a job, whose size says how many there should be. */
static void count_rank(Reports *reports, guint64 job, gint64 size, const char *path)
{
    gint64 id = (gint64)job;
    if (!g_hash_table_contains(reports->jobs, &id)) {
        g_hash_table_insert(reports->jobs, g_memdup2(&id, sizeof id), g_path_get_basename(path));
        reports->missing += size;
    }
    reports->missing--;
}

static void take(gpointer data, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts, gint64 rank)
{
    const Asserted asserted = {*assertion, *verdicts, rank};
    g_array_append_val(((Reports *)data)->assertions, asserted);
}

static void make_room(HieraOutcome *outcome, const HieraRules *rules)
{
    guint n_rules = 0, n_counters = 0;
    if (rules) {
        hiera_rules_peek(rules, &n_rules);
        hiera_rules_peek_counters(rules, &n_counters);
    }
    outcome->verdicts = g_new0(HieraVerdicts, n_rules);
    outcome->kept = g_new0(HieraKept, n_rules);
    outcome->totals = g_new0(gint64, n_counters);
    outcome->unknown = g_new0(bool, n_counters);
}

static gboolean read_report(Reports *reports, const char *path, GError **error)
{
    char report[HIERA_RULES_REPORT], *text;
    gsize length;
    HieraJudgedRun run;
    const HieraOutcomeReader reader = {reports->options->rules, take, reports};
    HieraOutcome outcome = {0};
    if (!g_file_get_contents(path, &text, &length, error))
        return FALSE;
    g_ptr_array_add(reports->texts, text);
    make_room(&outcome, reader.rules);
    gboolean good = hiera_outcome_read(path, text, length, &reader, &outcome, &run, report);
    g_array_append_val(reports->outcomes, outcome);
    if (!good)
        return misuse(error, "%s", report);
    count_rank(reports, run.job, outcome.size, path);
    if (*run.traces)
        reports->traces = run.traces;
    return TRUE;
}

static int compare_asserted(gconstpointer a, gconstpointer b)
{
    gint64 first = ((const Asserted *)a)->rank, second = ((const Asserted *)b)->rank;
    return (first > second) - (first < second);
}

static int compare_ranks(gconstpointer a, gconstpointer b)
{
    gint64 first = ((const HieraOutcome *)a)->rank, second = ((const HieraOutcome *)b)->rank;
    return (first > second) - (first < second);
}

static gboolean read_all(Reports *reports, GError **error)
{
    const char *folder = reports->options->reports, *name;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    if (!dir)
        return misuse(error, "%s: it is no folder that can be read", folder);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (!g_str_has_prefix(name, "assertions") || !g_str_has_suffix(name, ".tsv"))
            continue;
        reports->n_plain += !strchr(name, '-');
        if (!read_report(reports, path, error))
            return FALSE;
    }
    g_array_sort(reports->outcomes, compare_ranks);
    g_array_sort(reports->assertions, compare_asserted);
    return reports->outcomes->len > 0 ||
           misuse(error, "%s: no rank has left a report there: were the ranks told to check rules (HIERA_ASSERT), or are there "
                         "assertions in the source, and did Hiera run in them?", folder);
}

/* Programs that a program spawns are jobs of their own; hiera-run has them all in one folder, that no other run uses. */
static gboolean check_jobs(const Reports *reports, GError **error)
{
    guint n_jobs = g_hash_table_size(reports->jobs);
    if (n_jobs == 1 || reports->n_plain == 0)
        return TRUE;
    GString *names = g_string_new(NULL);
    GList *all = g_list_sort(g_hash_table_get_values(reports->jobs), (GCompareFunc)g_strcmp0);
    for (const GList *name = all; name; name = name->next)
        g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", (const char *)name->data);
    misuse(error, "%s: there are reports of %u jobs (one of each: %s); remove those that you do not mean",
           reports->options->reports, n_jobs, names->str);
    g_list_free(all);
    g_string_free(names, TRUE);
    return FALSE;
}

static gboolean write_table(const Reports *reports, HieraTable *table, GError **error)
{
    const Options *options = reports->options;
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    HieraOutputFile output;
    shape_apply(&options->shape, table);
    if (!hiera_output_file_open(&output, options->output, error))
        return FALSE;
    hiera_tables_write(&table, 1, options->format, findings, output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}

static void say_missing(const Reports *reports)
{
    if (reports->missing <= 0)
        return;
    g_autofree char *message =
        reports->missing == 1
            ? g_strdup_printf("%s: 1 rank has left no report: what it did is not in the table", reports->options->reports)
            : g_strdup_printf("%s: %" G_GINT64_FORMAT " ranks have left no report: what they did is not in the table",
                              reports->options->reports, reports->missing);
    report_message(message);
}

/* A row for each rule, as the ranks found. To be freed with hiera_table_free. */
static HieraTable *make_table(const Reports *reports)
{
    const HieraMeasure *measure = g_ptr_array_index(reports->options->measures, 0);
    HieraTable *table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    HieraSourceRows *source = hiera_source_rows_new(measure != &hiera_measure_assertions);
    for (guint i = 0; i < reports->assertions->len; i++) {
        const Asserted *asserted = &g_array_index(reports->assertions, Asserted, i);
        hiera_source_rows_add(source, &asserted->assertion, &asserted->verdicts, asserted->rank);
    }
    hiera_rank_outcomes_judge(measure, &reports->options->scope,
                              (const HieraOutcome *)(void *)reports->outcomes->data, reports->outcomes->len, source, table);
    hiera_source_rows_free(source);
    return table;
}

static gboolean judge(const Reports *reports, gboolean *hold, GError **error)
{
    HieraTable *table = make_table(reports);
    gboolean is_one = g_hash_table_size(reports->jobs) == 1;
    gboolean good = assert_traces_decide(reports->options, is_one ? reports->traces : NULL, &table, error);
    *hold = good && assert_rows_hold(table) && reports->missing <= 0;
    good = good && write_table(reports, table, error);
    hiera_table_free(table);
    return good;
}

int assert_reports_run(const Options *options)
{
    g_autoptr(GError) error = NULL;
    gboolean hold = FALSE;
    Reports reports;
    reports_init(&reports, options);
    if (read_all(&reports, &error) && check_jobs(&reports, &error) && judge(&reports, &hold, &error))
        say_missing(&reports);
    reports_clear(&reports);
    if (error)
        report_message(error->message);
    return error ? EXIT_UNREADABLE : hold ? EXIT_GOOD : EXIT_CHECK_FAILED;
}
