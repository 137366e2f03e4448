/* JUnit XML, for servers that run tests: a rule is a test, and a file of rules is a suite.
 *
 * This works only for tables with the columns of the measure `assertions`. Unknown verdicts count as errors, not
 * as skipped: servers treat skipped tests as passed. All readers know the elements and attributes used. */
#include "table.h"
#include <string.h>

/* A row of the table `assertions`, which is a JUnit test. */
typedef struct {
    const HieraTable *table;
    const HieraColumn *columns;
    guint n_columns, row;
} Test;

static const HieraCell *find_cell(const Test *test, const char *name, const HieraColumn **column)
{
    for (guint i = 0; i < test->n_columns; i++) {
        if (strcmp(test->columns[i].name, name) == 0) {
            *column = &test->columns[i];
            return &hiera_table_peek_row(test->table, test->row)[i];
        }
    }
    return NULL;
}

/* Return the text of a test's column; "" if the table has no such column. */
static const char *find_text(const Test *test, const char *name)
{
    const HieraColumn *column;
    const HieraCell *cell = find_cell(test, name, &column);
    return cell && hiera_cell_is_text(column) ? cell->text : "";
}

static gint64 find_number(const Test *test, const char *name)
{
    const HieraColumn *column;
    const HieraCell *cell = find_cell(test, name, &column);
    return cell && !hiera_cell_is_text(column) ? cell->number : 0;
}

/* Escape a text for an XML attribute or between tags; to be freed with g_free. */
static char *escape(const char *text)
{
    g_autofree char *printable = hiera_text_printable(text), *allowed = hiera_text_of_bytes(printable);
    return g_markup_escape_text(allowed, -1);
}

/* Length of the file name in a test's column `rule`, like "rules.txt:12". */
static gsize file_length(const Test *test)
{
    const char *rule = find_text(test, "rule"), *colon = strrchr(rule, ':');
    return colon ? (gsize)(colon - rule) : strlen(rule);
}

static char *escape_file(const Test *test)
{
    g_autofree char *file = g_strndup(find_text(test, "rule"), file_length(test));
    return escape(file);
}

/* Return the name of the test's suite, escaped: the file of rules; of several jobs, "rules.txt, job 2". */
static char *escape_suite(const Test *test)
{
    g_autofree char *file = escape_file(test);
    gint64 job = find_number(test, "job");
    return job == 0 ? g_steal_pointer(&file) : g_strdup_printf("%s, job %" G_GINT64_FORMAT, file, job);
}

/* --- writing tests --- */

static gboolean is_verdict(const Test *test, const char *verdict)
{
    return strcmp(find_text(test, "verdict"), verdict) == 0;
}

/* Write where a rule was violated, like "first: rank 0, from 0.100000000 s on". */
static void write_place(const Test *test, const char *label, const char *rank, const char *start, FILE *stream)
{
    const char *at = find_text(test, start);
    if (*find_text(test, rank))
        fprintf(stream, "%s: rank %s%s%s%s\n", label, find_text(test, rank), *at ? ", from " : "", at,
                *at ? " s on" : "");
}

static void write_details(const Test *test, FILE *stream)
{
    g_autofree char *rule = escape(find_text(test, "rule")), *text = escape(find_text(test, "assertion")),
                    *why = escape(find_text(test, "why"));
    fprintf(stream, "%s: %s\n%s\n", rule, text, why);
    fprintf(stream, "evaluations: %" G_GINT64_FORMAT " ok, %" G_GINT64_FORMAT " failed, %" G_GINT64_FORMAT " unknown\n",
            find_number(test, "ok"), find_number(test, "failed"), find_number(test, "unknown"));
    if (*find_text(test, "ranks"))
        fprintf(stream, "failed on ranks: %s\n", find_text(test, "ranks"));
    if (*find_text(test, "left"))
        fprintf(stream, "worst: left %s, right %s, deviation %s\n", find_text(test, "left"), find_text(test, "right"),
                find_text(test, "deviation"));
    write_place(test, "worst", "worst-rank", "worst-start", stream);
    write_place(test, "first", "first-rank", "first-start", stream);
}

static void write_test(const Test *test, FILE *stream)
{
    char time[HIERA_NUMBER_BYTES];
    hiera_seconds_format(time, find_number(test, "time"));
    g_autofree char *name = escape(find_text(test, "assertion")), *why = escape(find_text(test, "why")),
                    *suite = escape_suite(test);
    fprintf(stream, "    <testcase classname=\"%s\" name=\"%s\" time=\"%s\"", suite, name, time);
    if (is_verdict(test, "ok")) {
        fputs("/>\n", stream);
        return;
    }
    const char *element = is_verdict(test, "failed") ? "failure" : "error";
    fprintf(stream, ">\n      <%s type=\"%s\" message=\"%s\">", element, find_text(test, "verdict"), why);
    write_details(test, stream);
    fprintf(stream, "</%s>\n    </testcase>\n", element);
}

/* --- writing suites --- */

static gboolean same_suite(const Test *test, const Test *other)
{
    gsize length = file_length(test);
    return find_number(test, "job") == find_number(other, "job") && length == file_length(other) &&
           memcmp(find_text(test, "rule"), find_text(other, "rule"), length) == 0;
}

/* Write attributes with the number of tests from `first` up to before row `end`, and of their failures and errors. */
static void write_numbers(const Test *first, guint end, FILE *stream)
{
    guint failures = 0, good = 0, n = end - first->row;
    gint64 time_ns = 0;
    char time[HIERA_NUMBER_BYTES];
    for (Test test = *first; test.row < end; test.row++) {
        failures += is_verdict(&test, "failed");
        good += is_verdict(&test, "ok");
        time_ns = hiera_plus(time_ns, find_number(&test, "time"));
    }
    hiera_seconds_format(time, time_ns);
    fprintf(stream, " tests=\"%u\" failures=\"%u\" errors=\"%u\" time=\"%s\"", n, failures, n - failures - good, time);
}

/* Write the tests of one file of rules as a suite. @return the row behind them */
static guint write_suite(const Test *first, guint n_rows, FILE *stream)
{
    Test test = *first;
    while (test.row < n_rows && same_suite(&test, first))
        test.row++;
    guint end = test.row;
    g_autofree char *suite = escape_suite(first), *file = escape_file(first);
    fprintf(stream, "  <testsuite name=\"%s\" file=\"%s\" skipped=\"0\"", suite, file);
    write_numbers(first, end, stream);
    fputs(">\n", stream);
    for (test.row = first->row; test.row < end; test.row++)
        write_test(&test, stream);
    fputs("  </testsuite>\n", stream);
    return end;
}

void hiera_table_write_junit(const HieraTable *table, FILE *stream)
{
    Test test = {.table = table};
    guint n_rows = hiera_table_count(table);
    test.columns = hiera_table_peek_columns(table, &test.n_columns);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hiera-transform\"", stream);
    write_numbers(&test, n_rows, stream);
    fputs(">\n", stream);
    while (test.row < n_rows)
        test.row = write_suite(&test, n_rows, stream);
    fputs("</testsuites>\n", stream);
}
