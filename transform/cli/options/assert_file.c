#include "assert_file.h"
#include "assert_measures.h"
#include "base/misuse.h"
#include "base/safe_text.h"
#include <string.h>

static char *read_file(const char *option, const char *path, gsize *length, GError **error)
{
    char *text = NULL;
    g_autoptr(GError) wrong = NULL;
    if (!g_file_get_contents(path, &text, length, &wrong))
        misuse(error, "%s %s: %s", option, path, wrong->message);
    return text;
}

gboolean assert_file_read_values(HieraRuleValues **values, GError **error)
{
    const char *named = g_getenv("HIERA_VALUES");
    const char *variable = named && *named ? "HIERA_VALUES" : "PA_CONFIG_FILE", *path = g_getenv(variable);
    gsize length;
    char report[HIERA_RULES_REPORT];
    if (!path || !*path)
        return TRUE;
    g_autofree char *text = read_file(variable, path, &length, error);
    if (!text)
        return FALSE;
    *values = hiera_rule_values_parse(path, text, length, report);
    return *values || misuse(error, "%s", report);
}

/* Refuse rules that are not UTF-8, because the output repeats them and has to be UTF-8. */
static gboolean check_text(const char *path, const char *text, gsize length, GError **error)
{
    const char *at;
    guint line = 1;
    if (g_utf8_validate(text, (gssize)length, &at))
        return TRUE;
    for (const char *newline = text; (newline = memchr(newline, '\n', (gsize)(at - newline))); newline++)
        line++;
    return misuse(error, "--assert %s:%u: the byte 0x%02x is no text in UTF-8", path, line, (guchar)*at);
}

HieraRules *assert_file_read(const char *path, GError **error)
{
    HieraRuleValues *values = NULL;
    HieraRules *rules = NULL;
    gsize length;
    char report[HIERA_RULES_REPORT];
    g_autofree char *text = read_file("--assert", path, &length, error);
    if (text && check_text(path, text, length, error) && assert_file_read_values(&values, error)) {
        g_autofree char *source = hiera_text_of_bytes(path);
        const HieraRuleHost host = {.values = values, .knows = assert_measures_know};
        rules = hiera_rules_parse_for(source, text, length, &host, report);
        if (!rules)
            misuse(error, "%s", report);
    }
    hiera_rule_values_free(values);
    return rules;
}

static const char *peek_text(const HieraTable *table, guint row, const char *column)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    for (guint i = 0; i < n_columns; i++) {
        if (strcmp(columns[i].name, column) == 0)
            return hiera_table_peek_row(table, row)[i].text;
    }
    return "";
}

gboolean assert_rows_hold(const HieraTable *table)
{
    if (hiera_table_count(table) == 0)
        return FALSE;
    for (guint row = 0; row < hiera_table_count(table); row++) {
        gboolean of_rank = *peek_text(table, row, "rank") != '\0';
        if (!of_rank && strcmp(peek_text(table, row, "verdict"), "ok") != 0)
            return FALSE;
    }
    return TRUE;
}
