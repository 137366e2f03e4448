/* See report.h. Each message begins with the name of the program. */
#include "report.h"
#include "base/findings.h"
#include "report/table.h"
#include "report/terminal_cell.h"
#include "report/terminal_layout.h"

void report_message(const char *message)
{
    g_autofree char *printable = hiera_text_printable(message);
    fprintf(stderr, "hiera-transform: %s\n", printable);
}

void report_lines(const char *message)
{
    g_auto(GStrv) lines = g_strsplit(message, "\n", -1);
    report_message(lines[0]);
    for (char **line = lines + 1; lines[0] && *line; line++) {
        g_autofree char *printable = hiera_text_printable(*line);
        fprintf(stderr, "%s\n", printable);
    }
}

/* Return where a finding is, as `FILE:LINE: `, `FILE: ` or "", as far as known; to be freed with g_free. */
static char *format_place(const HieraFinding *finding)
{
    if (!*finding->file)
        return g_strdup("");
    return finding->line ? g_strdup_printf("%s:%u: ", finding->file, finding->line)
                         : g_strdup_printf("%s: ", finding->file);
}

static char *format_more(const HieraFinding *finding)
{
    return finding->count > 1 ? g_strdup_printf(" (%" G_GUINT64_FORMAT " times)", finding->count) : g_strdup("");
}

static gboolean was_said(HieraFindingCode code, Said said)
{
    if (said == SAID_NOTHING || hiera_finding_unreadable(code))
        return FALSE;
    return said == SAID_ALL || hiera_finding_partial(code) || hiera_finding_is_about(code);
}

Said report_said_by(HieraFormat format)
{
    static const Said said[] = {
        [HIERA_FORMAT_TABLE] = SAID_PARTIAL, [HIERA_FORMAT_JSON] = SAID_ALL, [HIERA_FORMAT_BRIEF] = SAID_PARTIAL};
    return format < G_N_ELEMENTS(said) ? said[format] : SAID_NOTHING;
}

void report_findings(const HieraFindings *findings, Said said, gboolean quiet)
{
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        const HieraFinding *finding = hiera_findings_peek(findings, i);
        if (was_said(finding->code, said) || (quiet && hiera_finding_severity(finding->code) != HIERA_SEVERITY_ERROR))
            continue;
        g_autofree char *place = format_place(finding), *more = format_more(finding);
        g_autofree char *message = g_strconcat(place, finding->message, more, NULL);
        report_message(message);
    }
}

/* Write a line of at most `width` characters, and what does not fit in further lines. */
static void write_line(const char *text, glong first, glong width, FILE *stream)
{
    enum { INDENT = 4 };
    g_autofree char *printable = hiera_text_printable(text);
    g_autoptr(GString) lines = g_string_new(NULL);
    hiera_terminal_wrap(lines, printable, first, INDENT, width);
    fputs(lines->str, stream);
}

static void write_finding(const HieraFinding *finding, glong width, FILE *stream)
{
    static const char *const severities[] = {"note", "warning", "error"};
    g_autofree char *place = format_place(finding), *more = format_more(finding);
    g_autofree char *rule = rules_name(rules_peek(finding->code));
    g_autofree char *line = g_strdup_printf("%s%s: %s%s [%s]", place, severities[hiera_finding_severity(finding->code)],
                                            finding->message, more, rule);
    write_line(line, 0, width, stream);
}

/* Write where MPI has a rule, and what to change. */
static void write_advice(const Rule *rule, glong width, FILE *stream)
{
    enum { INDENT = 4 };
    g_autofree char *section = rules_section(rule);
    g_autofree char *line = g_strconcat(section, *section ? ": " : "", rule->change, NULL);
    write_line(line, INDENT, width, stream);
}

/* Write the findings of a severity. @return the number of them, equal ones included */
static guint64 write_severity(const HieraFindings *findings, HieraSeverity severity, gboolean *explained, FILE *stream)
{
    guint64 listed = 0;
    glong width = hiera_line_width(stream);
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        const HieraFinding *finding = hiera_findings_peek(findings, i);
        if (hiera_finding_severity(finding->code) != severity)
            continue;
        const Rule *rule = rules_peek(finding->code);
        write_finding(finding, width, stream);
        if (rule->change && severity == rules_severity(rule) && !explained[rule - rules_all])
            write_advice(rule, width, stream);
        explained[rule - rules_all] = TRUE;
        listed += finding->count;
    }
    return listed;
}

void report_validation(const HieraFindings *findings, const GPtrArray *tables, FILE *stream)
{
    guint64 unlisted = hiera_findings_sum(findings);
    g_autofree gboolean *explained = g_new0(gboolean, rules_n);
    for (int severity = HIERA_SEVERITY_ERROR; severity >= HIERA_SEVERITY_NOTE; severity--)
        unlisted -= write_severity(findings, (HieraSeverity)severity, explained, stream);
    if (unlisted > 0)
        fprintf(stream, "... and %" G_GUINT64_FORMAT " more of the same kinds: the first %d of each are listed\n",
                unlisted, HIERA_FINDINGS_KEPT);
    if (hiera_findings_count(findings) > 0 && tables->len > 0)
        fputs("\n", stream);
    for (guint i = 0; i < tables->len; i++) {
        hiera_table_write_text(g_ptr_array_index(tables, i), FALSE, stream);
        fputs("\n", stream);
    }
    fprintf(stream, "errors: %" G_GUINT64_FORMAT "; warnings: %" G_GUINT64_FORMAT "; notes: %" G_GUINT64_FORMAT "\n",
            hiera_findings_count_severity(findings, HIERA_SEVERITY_ERROR),
            hiera_findings_count_severity(findings, HIERA_SEVERITY_WARNING),
            hiera_findings_count_severity(findings, HIERA_SEVERITY_NOTE));
}

void report_suppressed(const Suppressions *suppressions, FILE *stream)
{
    if (suppressions)
        fprintf(stream, "suppressed: %" G_GUINT64_FORMAT "\n", hiera_findings_sum(suppressions_peek(suppressions)));
}
