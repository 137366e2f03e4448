/* Answers as text: what all formats share, and the choice between them. */
#include "base/findings.h"
#include "table.h"
#include <string.h>

/* By hand: tables have millions of them. */
gsize hiera_decimal_format(char *buffer, gint64 number, guint decimals)
{
    char digits[HIERA_NUMBER_BYTES];
    guint n = 0;
    for (guint64 rest = number < 0 ? -(guint64)number : (guint64)number; rest > 0 || n <= decimals; rest /= 10)
        digits[n++] = (char)('0' + rest % 10);
    char *at = buffer;
    if (number < 0)
        *at++ = '-';
    while (n > 0) {
        if (n == decimals)
            *at++ = '.';
        *at++ = digits[--n];
    }
    *at = '\0';
    return (gsize)(at - buffer);
}

void hiera_seconds_format(char *buffer, gint64 ns)
{
    hiera_decimal_format(buffer, ns, 9);
}

gsize hiera_cell_format(char *buffer, const HieraColumn *column, const HieraCell *cell)
{
    guint decimals = column->type == HIERA_CELL_SECONDS ? 9 : column->type == HIERA_CELL_PERCENT ? 2 : 0;
    return hiera_decimal_format(buffer, cell->number, decimals);
}

/* Files that could not be read have had their messages; the table says that they are missing. */
static void write_partial(const HieraFindings *findings, FILE *stream)
{
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        const HieraFinding *finding = hiera_findings_peek(findings, i);
        if (!hiera_finding_partial(finding->code) || hiera_finding_unreadable(finding->code))
            continue;
        g_autofree char *file = hiera_text_printable(finding->file), *message = hiera_text_printable(finding->message);
        fprintf(stream, "partial: %s", file);
        if (finding->line)
            fprintf(stream, ":%u", finding->line);
        fprintf(stream, "%s%s\n", *file ? ": " : "", message);
    }
    if (hiera_findings_unreadable(findings))
        fputs("partial: not all of the input could be read\n", stream);
}

static void write_json_finding(const HieraFinding *finding, FILE *stream)
{
    static const char *const severities[] = {"note", "warning", "error"};
    g_autofree char *file = hiera_text_json(finding->file), *message = hiera_text_json(finding->message);
    fprintf(stream,
            "{\"severity\": \"%s\", \"kind\": \"%s\", \"file\": %s, \"line\": %u, \"count\": %" G_GUINT64_FORMAT
            ", \"message\": %s}",
            severities[hiera_finding_severity(finding->code)], hiera_finding_name(finding->code), file, finding->line,
            finding->count, message);
}

/* Findings are a member beside the measures, none of which has that name. */
static void write_json(HieraTable *const *tables, guint n_tables, const HieraFindings *findings, FILE *stream)
{
    fputs("{", stream);
    for (guint i = 0; i < n_tables; i++) {
        fprintf(stream, "\n\"%s\": ", hiera_table_peek_title(tables[i]));
        hiera_table_write_json(tables[i], stream);
        fputc(',', stream);
    }
    fprintf(stream, "\n\"partial\": %s,\n\"findings\": [", hiera_findings_partial(findings) ? "true" : "false");
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        fputs(i ? ",\n  " : "\n  ", stream);
        write_json_finding(hiera_findings_peek(findings, i), stream);
    }
    fputs("\n]\n}\n", stream);
}

void hiera_tables_write(HieraTable *const *tables, guint n_tables, HieraFormat format, const HieraFindings *findings,
                        FILE *stream)
{
    if (format == HIERA_FORMAT_JSON) {
        write_json(tables, n_tables, findings, stream);
        return;
    }
    for (guint i = 0; i < n_tables; i++) {
        if (i > 0)
            fputc('\n', stream);
        if (format == HIERA_FORMAT_CSV)
            hiera_table_write_csv(tables[i], stream);
        else
            hiera_table_write_text(tables[i], n_tables > 1, stream);
    }
    if (format == HIERA_FORMAT_TABLE)
        write_partial(findings, stream);
}
