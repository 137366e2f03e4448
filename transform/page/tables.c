/* The block `tables`, with exact cells. Numbers are those of the cell (nanoseconds, hundredths of a percent, bytes) as
 * text; "" if not known. A long table is cut to its first rows, with the number of all rows. */
#include "base/block.h"
#include "base/json.h"
#include "head.h"

#define MAX_ROWS       2000
#define MAX_ROWS_DRAWN 100000 /* most rows of tables that the page draws as bars (histograms) */

static gboolean is_text(HieraCellType type)
{
    return type == HIERA_CELL_TEXT || type == HIERA_CELL_PATH || type == HIERA_CELL_CALLERS ||
           type == HIERA_CELL_PROSE || type == HIERA_CELL_SENTENCE || type == HIERA_CELL_FIGURE;
}

/* Names of cell types (HieraCellType) that the page's script uses. */
static const char *const types[] = {
    [HIERA_CELL_INTEGER] = "integer",   [HIERA_CELL_TEXT] = "text",       [HIERA_CELL_SECONDS] = "time",
    [HIERA_CELL_PERCENT] = "percent",   [HIERA_CELL_BYTES] = "bytes",     [HIERA_CELL_BAR] = "bar",
    [HIERA_CELL_PATH] = "path",         [HIERA_CELL_CALLERS] = "callers", [HIERA_CELL_PROSE] = "sentence",
    [HIERA_CELL_SENTENCE] = "sentence", [HIERA_CELL_FIGURE] = "text",     [HIERA_CELL_RATE] = "rate"};

static void add_columns(GString *json, const HieraColumn *columns, guint n)
{
    hiera_json_open(json, "columns", '[');
    for (guint i = 0; i < n; i++) {
        hiera_json_next(json);
        g_string_append_c(json, '{');
        hiera_json_member_text(json, "name", columns[i].name);
        hiera_json_member_text(json, "type", types[columns[i].type]);
        g_string_append_c(json, '}');
    }
    g_string_append_c(json, ']');
}

static void add_row(GString *json, const HieraColumn *columns, guint n, const HieraCell *cells)
{
    hiera_json_next(json);
    g_string_append_c(json, '[');
    for (guint i = 0; i < n; i++) {
        hiera_json_next(json);
        if (is_text(columns[i].type))
            hiera_json_text(json, cells[i].text);
        else if (hiera_cell_is_unknown(&columns[i], &cells[i]))
            g_string_append(json, "\"\"");
        else
            g_string_append_printf(json, "\"%" G_GINT64_FORMAT "\"", cells[i].number);
    }
    g_string_append_c(json, ']');
}

/* Return how many rows of a table are on the page: the first ones, up to a limit. */
static guint count_kept(const HieraTable *table)
{
    gboolean is_drawn = g_str_has_prefix(hiera_table_peek_title(table), "histogram");
    return MIN(hiera_table_count(table), is_drawn ? MAX_ROWS_DRAWN : MAX_ROWS);
}

/* Append the member `operations`: for each row that is linked to an operation, index of the row and the operation. */
static void add_operations(GString *json, const HieraTable *table)
{
    hiera_json_open(json, "operations", '[');
    for (guint i = 0; i < count_kept(table); i++) {
        guint32 operation = hiera_table_peek_operation(table, i);
        if (operation == HIERA_NONE)
            continue;
        hiera_json_next(json);
        g_string_append_printf(json, "[%u,%u]", i, operation);
    }
    g_string_append_c(json, ']');
}

/* Append the member `limits`: what limits the answer, and was found in its cells. */
static void add_limits(GString *json, const HieraTable *table)
{
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    hiera_table_check(table, findings);
    hiera_json_open(json, "limits", '[');
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        hiera_json_next(json);
        hiera_json_text(json, hiera_findings_peek(findings, i)->message);
    }
    g_string_append_c(json, ']');
}

static void add_table(GString *json, const HieraTable *table, const char *help)
{
    guint n_columns, n_rows = count_kept(table);
    const HieraColumn *columns = hiera_table_peek_columns(table, &n_columns);
    hiera_json_next(json);
    g_string_append_c(json, '{');
    hiera_json_member_text(json, "name", hiera_table_peek_title(table));
    hiera_json_member_text(json, "help", help);
    add_limits(json, table);
    hiera_json_member(json, "total", hiera_table_count(table));
    add_columns(json, columns, n_columns);
    hiera_json_open(json, "rows", '[');
    for (guint i = 0; i < n_rows; i++)
        add_row(json, columns, n_columns, hiera_table_peek_row(table, i));
    g_string_append_c(json, ']');
    add_operations(json, table);
    g_string_append_c(json, '}');
}

void hiera_page_tables_write(const HieraPage *page, FILE *stream)
{
    g_autoptr(GString) json = g_string_new("[");
    for (guint i = 0; i < page->n_tables; i++)
        add_table(json, page->tables[i], page->help[i]);
    g_string_append_c(json, ']');
    hiera_block_write((const guint8 *)json->str, json->len, stream, "tables");
}
