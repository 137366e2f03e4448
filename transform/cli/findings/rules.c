/* See rules.h. The numbers of sections are those of MPI 4.1. */
#include "rules.h"
#include "base/misuse.h"
#include "report/terminal_cell.h"
#include "text/nearest.h"
#include <string.h>

#define WIDTH  80 /* of lines of --explain */
#define INDENT 4

const Rule *rules_peek(HieraFindingCode code)
{
    guint i = 0;
    while (i + 1 < n_rules && strcmp(rules[i].name, hiera_finding_name(code)) != 0)
        i++;
    return &rules[i];
}

char *rules_name(const Rule *rule)
{
    return g_strdelimit(g_strdup(rule->name), " ", '-');
}

char *rules_section(const Rule *rule)
{
    return *rule->section ? g_strdup_printf("MPI 4.1, %s", rule->section) : g_strdup("");
}

/* Return the names of all rules, which the caller frees with g_strfreev. */
static char **all_names(void)
{
    char **names = g_new0(char *, n_rules + 1);
    for (guint i = 0; i < n_rules; i++)
        names[i] = rules_name(&rules[i]);
    return names;
}

const Rule *rules_find(const char *option, const char *name, GError **error)
{
    g_auto(GStrv) names = all_names();
    for (guint i = 0; i < n_rules; i++) {
        if (strcmp(names[i], name) == 0 || strcmp(rules[i].name, name) == 0)
            return &rules[i];
    }
    const char *nearest = hiera_nearest_of(name, (const char *const *)names, n_rules);
    g_autofree char *list = g_strjoinv(", ", names);
    misuse(error, "%s: there is no rule '%s'%s%s%s; there are %s", option, name, nearest ? " (did you mean '" : "",
           nearest ? nearest : "", nearest ? "'?)" : "", list);
    return NULL;
}

/* --- words for --explain --- */

static const char *name_severity(HieraSeverity severity)
{
    static const char *const severities[] = {"note", "warning", "error"};
    return severities[severity];
}

/* Whether a kind of findings of a rule has a severity. */
static gboolean has_severity(const Rule *rule, HieraSeverity severity)
{
    gboolean has = FALSE;
    for (int code = 0; code < HIERA_N_FINDINGS; code++)
        has = has || (rules_peek((HieraFindingCode)code) == rule &&
                      hiera_finding_severity((HieraFindingCode)code) == severity);
    return has;
}

HieraSeverity rules_severity(const Rule *rule)
{
    HieraSeverity severity = HIERA_SEVERITY_ERROR;
    while (severity > HIERA_SEVERITY_NOTE && !has_severity(rule, severity))
        severity--;
    return severity;
}

/* Return the severities that findings of a rule may have, as "error or warning"; to be freed with g_free. */
static char *list_severities(const Rule *rule)
{
    GString *text = g_string_new(NULL);
    for (int severity = HIERA_SEVERITY_ERROR; severity >= HIERA_SEVERITY_NOTE; severity--)
        if (has_severity(rule, (HieraSeverity)severity))
            g_string_append_printf(text, "%s%s", text->len > 0 ? " or " : "", name_severity((HieraSeverity)severity));
    return g_string_free(text, FALSE);
}

static void write_part(const char *head, const char *text, FILE *stream)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    if (!text)
        return;
    hiera_terminal_wrap(lines, text, INDENT, INDENT, WIDTH);
    fprintf(stream, "\n%s\n%s", head, lines->str);
}

static void write_code(const char *head, const char *code, FILE *stream)
{
    g_auto(GStrv) lines = g_strsplit(code ? code : "", "\n", -1);
    if (!code)
        return;
    fprintf(stream, "\n%s\n", head);
    for (char **line = lines; *line; line++)
        fprintf(stream, "%*s%s\n", INDENT, "", *line);
}

void rules_explain(const Rule *rule, FILE *stream)
{
    g_autofree char *name = rules_name(rule), *section = rules_section(rule), *severities = list_severities(rule);
    g_autoptr(GString) lines = g_string_new(NULL);
    g_autofree char *text = g_strdup_printf("%s: %s", name, rule->text);
    hiera_terminal_wrap(lines, text, 0, INDENT, WIDTH);
    fputs(lines->str, stream);
    if (*section)
        fprintf(stream, "%s, %s\n", section, rule->title);
    fprintf(stream, "A finding is %s %s.\n", severities[0] == 'e' ? "an" : "a", severities);
    write_part("What it means", rule->means, stream);
    write_code("Wrong", rule->wrong, stream);
    write_code("Right", rule->right, stream);
    write_part("What to change", rule->change, stream);
}

void rules_list(FILE *stream)
{
    enum { NAME = 24 };
    for (guint i = 0; i < n_rules; i++) {
        g_autofree char *name = rules_name(&rules[i]);
        g_autofree char *text = g_strdup_printf("%-*s%s", NAME, name, rules[i].text);
        g_autoptr(GString) lines = g_string_new(NULL);
        hiera_terminal_wrap(lines, text, 0, NAME, WIDTH);
        fputs(lines->str, stream);
    }
}
