/* Writes results in the chosen format, and the findings that make them partial. */
#include "base/findings.h"
#include "table.h"
#include "terminal_cell.h"
#include "terminal_layout.h"

enum {
    SCHEMA_VERSION = 1, /* number of docs/answer.schema.json */
    SHOWN_MAX = 3,      /* most findings of one kind that are shown below an answer, which should fit a screen */
    INDENT = 4          /* blanks before a finding's second and later lines */
};

/* Write why the results are partial, in lines of at most `width` characters. */
static void write_reason(const char *text, glong width, FILE *stream)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    hiera_terminal_wrap(lines, text, 0, INDENT, width);
    fputs(lines->str, stream);
}

static void write_finding(const HieraFinding *finding, glong width, FILE *stream)
{
    g_autofree char *file = hiera_text_printable(finding->file), *message = hiera_text_printable(finding->message);
    g_autoptr(GString) text = g_string_new(hiera_finding_is_about(finding->code) ? "note: " : "partial: ");
    g_string_append(text, file);
    if (finding->line)
        g_string_append_printf(text, ":%u", finding->line);
    g_string_append_printf(text, "%s%s", *file ? ": " : "", message);
    write_reason(text->str, width, stream);
}

/* Write the findings that make the results partial, or those that say what these are about. For files that could not be
 * read one line is enough, because their errors were printed already.
 * @param most  findings of one kind that are shown; of further ones only the number is */
static void write_findings(const HieraFindings *findings, gboolean is_about, guint most, glong width, FILE *stream)
{
    guint n_shown[HIERA_N_FINDINGS] = {0}, more = 0;
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        const HieraFinding *finding = hiera_findings_peek(findings, i);
        if (!(is_about ? hiera_finding_is_about : hiera_finding_partial)(finding->code) ||
            hiera_finding_unreadable(finding->code) || finding->code == HIERA_FINDING_ALIVE)
            continue;
        if (n_shown[finding->code]++ < most)
            write_finding(finding, width, stream);
        else
            more++;
    }
    g_autofree char *others =
        most > 0 ? g_strdup_printf("%s: %u more like these; --format json has all", is_about ? "note" : "partial", more)
                 : g_strdup_printf("partial: %u finding%s; --validate has all", more, more == 1 ? "" : "s");
    if (more > 0)
        write_reason(others, width, stream);
    if (hiera_findings_unreadable(findings) && !is_about)
        write_reason("partial: not all of the input could be read", width, stream);
}

/* Write above the answer that the job still runs. */
static void write_alive(const HieraFindings *findings, FILE *stream)
{
    guint n = 0;
    for (guint i = 0; i < hiera_findings_count(findings); i++)
        if (hiera_findings_peek(findings, i)->code == HIERA_FINDING_ALIVE && n++ <= SHOWN_MAX)
            write_finding(hiera_findings_peek(findings, i), hiera_line_width(stream), stream);
    g_autofree char *others = g_strdup_printf("partial: %u more like these; --format json has all", n - SHOWN_MAX - 1);
    if (n > SHOWN_MAX + 1)
        write_reason(others, hiera_line_width(stream), stream);
}

static void write_json_finding(const HieraFinding *finding, FILE *stream)
{
    static const char *const severities[] = {"note", "warning", "error"};
    g_autofree char *file = hiera_text_json(finding->file), *message = hiera_text_json(finding->message);
    g_autofree char *line = finding->line > 0 ? g_strdup_printf("%u", finding->line) : g_strdup("null");
    fprintf(stream,
            "{\"severity\": \"%s\", \"kind\": \"%s\", \"file\": %s, \"line\": %s, \"count\": %" G_GUINT64_FORMAT
            ", \"message\": %s}",
            severities[hiera_finding_severity(finding->code)], hiera_finding_name(finding->code), file, line,
            finding->count, message);
}

/* Write what the numbers of the tables are that have a reference. */
static void write_json_references(HieraTable *const *tables, guint n_tables, FILE *stream)
{
    const char *before = "\n\"references\": {";
    for (guint i = 0; i < n_tables; i++) {
        const char *reference = hiera_table_peek_reference(tables[i]);
        g_autofree char *text = hiera_text_json(reference ? reference : "");
        if (reference)
            fprintf(stream, "%s\n  \"%s\": %s", before, hiera_table_peek_title(tables[i]), text);
        before = reference ? "," : before;
    }
    fputs(*before == ',' ? "\n}," : "", stream);
}

/* Write a member with an object for each table. */
static void write_json_member(HieraTable *const *tables, guint n_tables, const char *name,
                              void (*write)(const HieraTable *, FILE *), FILE *stream)
{
    fprintf(stream, "\n\"%s\": {", name);
    for (guint i = 0; i < n_tables; i++) {
        fprintf(stream, "%s\n  \"%s\": ", i ? "," : "", hiera_table_peek_title(tables[i]));
        write(tables[i], stream);
    }
    fputs("\n},", stream);
}

/* Write tables as one JSON object (docs/answer.schema.json); its other members are no names of measures. */
static void write_json(HieraTable *const *tables, guint n_tables, const HieraFindings *findings, FILE *stream)
{
    fputs("{", stream);
    for (guint i = 0; i < n_tables; i++) {
        fprintf(stream, "\n\"%s\": ", hiera_table_peek_title(tables[i]));
        hiera_table_write_json(tables[i], stream);
        fputc(',', stream);
    }
    fprintf(stream, "\n\"version\": %d,", SCHEMA_VERSION);
    write_json_member(tables, n_tables, "columns", hiera_table_write_json_columns, stream);
    write_json_member(tables, n_tables, "unknown", hiera_table_write_json_unknown, stream);
    write_json_references(tables, n_tables, stream);
    fprintf(stream, "\n\"partial\": %s,\n\"findings\": [", hiera_findings_partial(findings) ? "true" : "false");
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        fputs(i ? ",\n  " : "\n  ", stream);
        write_json_finding(hiera_findings_peek(findings, i), stream);
    }
    fputs("\n]\n}\n", stream);
}

static gboolean is_prose(const HieraTable *table)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    return n_columns > 1 && columns[1].type == HIERA_CELL_PROSE && !hiera_table_is_chosen(table);
}

static void write_text(const HieraTable *table, gboolean title, FILE *stream)
{
    if (is_prose(table))
        hiera_table_write_prose(table, stream);
    else
        hiera_table_write_text(table, title, stream);
}

/* Write why results are partial; below an answer in sentences, which names its limits itself, only how many reasons. */
static void write_below(HieraTable *const *tables, guint n_tables, const HieraFindings *findings, FILE *stream)
{
    glong width = hiera_line_width(stream);
    gboolean screen = n_tables == 1 && is_prose(tables[0]);
    guint most = width == G_MAXLONG ? G_MAXUINT : SHOWN_MAX;
    write_findings(findings, FALSE, screen && width != G_MAXLONG ? 0 : most, width, stream);
    if (!screen)
        write_findings(findings, TRUE, most, width, stream);
}

void hiera_tables_write(HieraTable *const *tables, guint n_tables, HieraFormat format, const HieraFindings *findings,
                        FILE *stream)
{
    if (format == HIERA_FORMAT_JSON) {
        write_json(tables, n_tables, findings, stream);
        return;
    }
    if (format == HIERA_FORMAT_BRIEF) {
        hiera_tables_write_brief(tables, n_tables, &(HieraBriefCommand){"hiera-transform TRACE…", "--measure NAME"},
                                 findings, stream);
        return;
    }
    if (format == HIERA_FORMAT_JUNIT && n_tables > 0) {
        hiera_table_write_junit(tables[0], stream);
        return;
    }
    if (format == HIERA_FORMAT_TABLE)
        write_alive(findings, stream);
    for (guint i = 0; i < n_tables; i++) {
        if (i > 0)
            fputc('\n', stream);
        if (format == HIERA_FORMAT_CSV)
            hiera_table_write_csv(tables[i], stream);
        else
            write_text(tables[i], n_tables > 1, stream);
    }
    if (format == HIERA_FORMAT_TABLE)
        write_below(tables, n_tables, findings, stream);
}
