/* See assert_reports.h. Each rank has left a file in the folder; its format is in assertions/meter/outcome_text.h. */
#include "assert_reports.h"
#include "assert_traces.h"
#include "asserting/rank_outcomes.h"
#include "assertions/meter/outcome_text.h"
#include "base/findings.h"
#include "base/misuse.h"
#include "base/output_file.h"
#include "cli/options/assert_file.h"
#include "cli/options/report.h"
#include "cli/run/run.h"
#include "measures.h"
#include <glib/gstdio.h>
#include <string.h>

/* Reports that the ranks of one MPI job have left. */
typedef struct {
    guint64 id;
    char *name;              /* file name of one of the job's reports */
    gint64 written_us;       /* time when the job's first report was written */
    GArray *outcomes;        /* HieraOutcome: results of the rules on each rank */
    GArray *assertions;      /* Asserted: results of assertions in the source code on each rank */
    gint64 n_ranks, missing; /* number of ranks of the job, and of those without a report */
    const char *traces;      /* folder of the job's traces, points into `texts`; NULL: the job left no traces */
} Job;

typedef struct {
    const Options *options;
    GPtrArray *texts;     /* contents of the report files; outcomes point into them */
    GPtrArray *jobs;      /* Job, sorted by `written_us` */
    GArray *taken;        /* Asserted: assertions of the report that is being read */
    guint n_plain;        /* number of report files without a job id in their names */
    HieraColumn *columns; /* columns of the table if there are several jobs; NULL: there is one job */
    HieraTable *table;    /* the table that the user gets */
} Reports;

/* Result of one assertion in the source code on one rank. */
typedef struct {
    HieraSourceAssertion assertion; /* source position and text of the assertion; they point into `texts` */
    HieraVerdicts verdicts;
    gint64 rank;
} Asserted;

static void job_free(gpointer data)
{
    Job *job = data;
    g_array_unref(job->outcomes);
    g_array_unref(job->assertions);
    g_free(job->name);
    g_free(job);
}

static void reports_init(Reports *reports, const Options *options)
{
    *reports = (Reports){.options = options};
    reports->texts = g_ptr_array_new_with_free_func(g_free);
    reports->jobs = g_ptr_array_new_with_free_func(job_free);
    reports->taken = g_array_new(FALSE, FALSE, sizeof(Asserted));
}

static void outcome_free(const HieraRules *rules, HieraOutcome *outcome)
{
    hiera_outcome_clear(rules, outcome);
    g_free(outcome->kept);
    g_free(outcome->verdicts);
    g_free(outcome->totals);
    g_free(outcome->unknown);
}

static void reports_clear(Reports *reports)
{
    for (guint i = 0; i < reports->jobs->len; i++) {
        const Job *job = g_ptr_array_index(reports->jobs, i);
        for (guint k = 0; k < job->outcomes->len; k++)
            outcome_free(reports->options->rules, &g_array_index(job->outcomes, HieraOutcome, k));
    }
    g_ptr_array_unref(reports->jobs);
    g_array_unref(reports->taken);
    g_ptr_array_unref(reports->texts);
    g_clear_pointer(&reports->table, hiera_table_free);
    g_free(reports->columns);
}

/* Return the job that a report belongs to; add it if it is new. `size`: the number of its ranks, each of which should
 * have a report. */
static Job *job_of(Reports *reports, const HieraJudgedRun *run, gint64 size, const char *path)
{
    for (guint i = 0; i < reports->jobs->len; i++) {
        Job *job = g_ptr_array_index(reports->jobs, i);
        if (job->id == run->job)
            return job;
    }
    Job *job = g_new0(Job, 1);
    *job = (Job){
        .id = run->job, .name = g_path_get_basename(path), .written_us = G_MAXINT64, .n_ranks = size, .missing = size};
    job->outcomes = g_array_new(FALSE, TRUE, sizeof(HieraOutcome));
    job->assertions = g_array_new(FALSE, FALSE, sizeof(Asserted));
    g_ptr_array_add(reports->jobs, job);
    return job;
}

static gint64 written_us(const char *path)
{
    GStatBuf facts;
    return g_stat(path, &facts) == 0 ? facts.st_mtim.tv_sec * G_USEC_PER_SEC + facts.st_mtim.tv_nsec / 1000
                                     : G_MAXINT64;
}

static void add_report(Job *job, const HieraOutcome *outcome, const GArray *taken, const HieraJudgedRun *run,
                       gint64 written)
{
    g_array_append_val(job->outcomes, *outcome);
    g_array_append_vals(job->assertions, taken->data, taken->len);
    job->missing--;
    job->written_us = MIN(job->written_us, written);
    if (*run->traces)
        job->traces = run->traces;
}

static void take(gpointer data, const HieraSourceAssertion *assertion, const HieraVerdicts *verdicts, gint64 rank)
{
    const Asserted asserted = {*assertion, *verdicts, rank};
    g_array_append_val(((Reports *)data)->taken, asserted);
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
    g_array_set_size(reports->taken, 0);
    if (!hiera_outcome_read(path, text, length, &reader, &outcome, &run, report)) {
        outcome_free(reader.rules, &outcome);
        return misuse(error, "%s", report);
    }
    add_report(job_of(reports, &run, outcome.size, path), &outcome, reports->taken, &run, written_us(path));
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

/* Compare jobs by the time of their first report; equal ones by file name. */
static int compare_jobs(gconstpointer a, gconstpointer b)
{
    const Job *first = *(const Job *const *)a, *second = *(const Job *const *)b;
    int by_time = (first->written_us > second->written_us) - (first->written_us < second->written_us);
    return by_time != 0 ? by_time : strcmp(first->name, second->name);
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
    for (guint i = 0; i < reports->jobs->len; i++) {
        const Job *job = g_ptr_array_index(reports->jobs, i);
        g_array_sort(job->outcomes, compare_ranks);
        g_array_sort(job->assertions, compare_asserted);
    }
    g_ptr_array_sort(reports->jobs, compare_jobs);
    return reports->jobs->len > 0 ||
           misuse(
               error,
               "%s: no rank has left a report there: were the ranks told to check rules (HIERA_ASSERT), or are there "
               "assertions in the source, and did Hiera run in them?",
               folder);
}

/* Refuse a mixture: reports without a job id in their names are in the folder of the traces, where there is one job
 * only. */
static gboolean check_jobs(const Reports *reports, GError **error)
{
    if (reports->jobs->len == 1 || reports->n_plain == 0)
        return TRUE;
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < reports->jobs->len; i++)
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
                               ((const Job *)g_ptr_array_index(reports->jobs, i))->name);
    return misuse(error, "%s: there are reports of %u jobs (one of each: %s); remove those that you do not mean",
                  reports->options->reports, reports->jobs->len, names->str);
}

static gboolean write_table(const Reports *reports, GError **error)
{
    const Options *options = reports->options;
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    HieraOutputFile output;
    if (!hiera_output_file_open(&output, options->output, error))
        return FALSE;
    options_write_tables(options, &reports->table, 1, findings, output.stream);
    return hiera_output_file_close(&output, TRUE, error);
}

static const char *plural(gint64 n)
{
    return n == 1 ? "" : "s";
}

/* Describe a job on standard error, with the number of ranks that left no report. @param number  0: the only job */
static void say_job(const Reports *reports, const Job *job, guint number)
{
    g_autofree char *of = number > 0 ? g_strdup_printf("job %u: ", number) : g_strdup("");
    if (number > 0) {
        g_autofree char *which =
            g_strdup_printf("%s%" G_GINT64_FORMAT " rank%s; %s%s", of, job->n_ranks, plural(job->n_ranks),
                            job->traces ? "traces in " : "one of its reports: ", job->traces ? job->traces : job->name);
        report_message(which);
    }
    if (job->missing <= 0)
        return;
    g_autofree char *message =
        g_strdup_printf("%s%s: %" G_GINT64_FORMAT " rank%s left no report: what %s did is not in the table", of,
                        reports->options->reports, job->missing, job->missing == 1 ? " has" : "s have",
                        job->missing == 1 ? "it" : "they");
    report_message(message);
}

/* Make a table with a row for each rule, from the rule's results on all ranks. To be freed with hiera_table_free. */
static HieraTable *make_table(const Reports *reports, const Job *job)
{
    const HieraMeasure *measure = g_ptr_array_index(reports->options->measures, 0);
    HieraTable *table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    HieraSourceRows *source = hiera_source_rows_new(measure != &hiera_measure_assertions);
    for (guint i = 0; i < job->assertions->len; i++) {
        const Asserted *asserted = &g_array_index(job->assertions, Asserted, i);
        hiera_source_rows_add(source, &asserted->assertion, &asserted->verdicts, asserted->rank);
    }
    hiera_rank_outcomes_judge(measure, &reports->options->scope, (const HieraOutcome *)(void *)job->outcomes->data,
                              job->outcomes->len, source, table);
    hiera_source_rows_free(source);
    return table;
}

/* --- the table of several jobs --- */

/* Make the empty table of several jobs: the column `job`, then the columns of the first job's table. */
static void make_table_of_jobs(Reports *reports, const HieraTable *first)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(first, &n_columns);
    reports->columns = g_new0(HieraColumn, n_columns + 1);
    reports->columns[0] = (HieraColumn){"job", HIERA_CELL_INTEGER, HIERA_ROLE_KEY};
    memcpy(reports->columns + 1, columns, n_columns * sizeof *columns);
    reports->table = hiera_table_new(hiera_table_peek_title(first), reports->columns, n_columns + 1);
}

/* Append the rows of one job's table to the table of all jobs. */
static void add_rows(Reports *reports, const HieraTable *table, guint number)
{
    guint n_columns;
    if (!reports->table)
        make_table_of_jobs(reports, table);
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    g_autofree HieraCell *cells = g_new0(HieraCell, n_columns + 1);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        const HieraCell *from = hiera_table_peek_row(table, row);
        cells[0].number = number;
        for (guint i = 0; i < n_columns; i++)
            cells[i + 1] = hiera_cell_is_text(&columns[i])
                               ? (HieraCell){.text = hiera_table_keep(reports->table, from[i].text)}
                               : from[i];
        hiera_table_add(reports->table, cells);
    }
}

/* Judge the rules on one job, and append its rows. @param hold  becomes FALSE if a rule fails or a report is missing */
static gboolean judge_job(Reports *reports, guint index, gboolean *hold, GError **error)
{
    const Job *job = g_ptr_array_index(reports->jobs, index);
    HieraTable *table = make_table(reports, job);
    gboolean good = assert_traces_decide(reports->options, job->traces, &table, error);
    *hold = *hold && good && assert_rows_hold(table) && job->missing <= 0;
    shape_apply(&reports->options->shape, table);
    if (reports->jobs->len == 1)
        reports->table = g_steal_pointer(&table);
    else if (good)
        add_rows(reports, table, index + 1);
    g_clear_pointer(&table, hiera_table_free);
    return good;
}

static gboolean judge(Reports *reports, gboolean *hold, GError **error)
{
    gboolean good = *hold = TRUE;
    for (guint i = 0; i < reports->jobs->len && good; i++)
        good = judge_job(reports, i, hold, error);
    good = good && write_table(reports, error);
    for (guint i = 0; i < reports->jobs->len && good; i++)
        say_job(reports, g_ptr_array_index(reports->jobs, i), reports->jobs->len > 1 ? i + 1 : 0);
    return good;
}

int assert_reports_run(const Options *options)
{
    g_autoptr(GError) error = NULL;
    gboolean hold = FALSE;
    Reports reports;
    reports_init(&reports, options);
    if (read_all(&reports, &error) && check_jobs(&reports, &error))
        judge(&reports, &hold, &error);
    reports_clear(&reports);
    if (error)
        report_message(error->message);
    return error ? EXIT_UNREADABLE : hold ? EXIT_GOOD : EXIT_CHECK_FAILED;
}
