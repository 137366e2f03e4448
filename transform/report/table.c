/* Tables: rows of cells, which can be sorted, and added up by key. */
#include "table.h"
#include "base/findings.h"
#include <string.h>

struct HieraTable {
    const char *title;
    const HieraColumn *columns;
    guint n_columns;
    GArray *cells;       /* HieraCell, row after row */
    GStringChunk *texts; /* texts owned by the table; NULL: none yet */
    HieraColumn *chosen; /* `columns` if hiera_table_choose() replaced them, else NULL */
};

HieraTable *hiera_table_new(const char *title, const HieraColumn *columns, guint n_columns)
{
    HieraTable *table = g_new0(HieraTable, 1);
    table->title = title;
    table->columns = columns;
    table->n_columns = n_columns;
    table->cells = g_array_new(FALSE, FALSE, sizeof(HieraCell));
    return table;
}

void hiera_table_free(HieraTable *table)
{
    if (!table)
        return;
    g_array_unref(table->cells);
    g_clear_pointer(&table->texts, g_string_chunk_free);
    g_free(table->chosen);
    g_free(table);
}

const char *hiera_table_keep(HieraTable *table, const char *text)
{
    if (!table->texts)
        table->texts = g_string_chunk_new(4096);
    return g_string_chunk_insert(table->texts, text);
}

void hiera_table_add(HieraTable *table, const HieraCell *cells)
{
    g_array_append_vals(table->cells, cells, table->n_columns);
}

guint hiera_table_count(const HieraTable *table)
{
    return table->cells->len / table->n_columns;
}

const HieraCell *hiera_table_peek_row(const HieraTable *table, guint row)
{
    return &g_array_index(table->cells, HieraCell, row * table->n_columns);
}

const char *hiera_table_peek_title(const HieraTable *table)
{
    return table->title;
}

const HieraColumn *hiera_table_peek_columns(const HieraTable *table, guint *n_columns)
{
    *n_columns = table->n_columns;
    return table->columns;
}

static int compare_cells(const HieraColumn *column, const HieraCell *left, const HieraCell *right)
{
    if (hiera_cell_is_text(column))
        return left->text == right->text ? 0 : strcmp(left->text, right->text);
    return (left->number > right->number) - (left->number < right->number);
}

static int compare_columns(const HieraTable *table, const HieraCell *left, const HieraCell *right, gboolean keys_only)
{
    for (guint i = 0; i < table->n_columns; i++) {
        if (keys_only && table->columns[i].role != HIERA_ROLE_KEY)
            continue;
        int order = compare_cells(&table->columns[i], &left[i], &right[i]);
        if (order)
            return order;
    }
    return 0;
}

static int compare_keys(const void *left, const void *right, void *table)
{
    return compare_columns(table, left, right, TRUE);
}

static int compare_rows(const void *left, const void *right, void *table)
{
    return compare_columns(table, left, right, FALSE);
}

/* Merge adjacent rows with equal keys; sums are added. */
static void add_up(HieraTable *table)
{
    guint n = hiera_table_count(table), kept = 0;
    HieraCell *cells = (HieraCell *)(void *)table->cells->data;
    for (guint row = 0; row < n; row++) {
        HieraCell *from = cells + row * table->n_columns;
        HieraCell *last = kept ? cells + (kept - 1) * table->n_columns : NULL;
        if (!last || compare_keys(last, from, table) != 0) {
            memmove(cells + kept++ * table->n_columns, from, table->n_columns * sizeof *from);
            continue;
        }
        for (guint i = 0; i < table->n_columns; i++) {
            if (table->columns[i].role == HIERA_ROLE_SUM)
                last[i].number = hiera_plus(last[i].number, from[i].number);
        }
    }
    g_array_set_size(table->cells, kept * table->n_columns);
}

static void sort(HieraTable *table, GCompareDataFunc compare)
{
    if (table->cells->len > 0)
        qsort_r(table->cells->data, hiera_table_count(table), table->n_columns * sizeof(HieraCell), compare, table);
}

void hiera_table_settle(HieraTable *table)
{
    sort(table, compare_keys);
    add_up(table);
    sort(table, compare_rows);
}

/* Return a column with the role of a sum if it was a detail: a column that the user chose by name is not left out. */
static HieraColumn as_chosen(const HieraColumn *column)
{
    HieraColumn chosen = *column;
    chosen.role = column->role == HIERA_ROLE_KEY ? HIERA_ROLE_KEY : HIERA_ROLE_SUM;
    return chosen;
}

void hiera_table_choose(HieraTable *table, const guint *columns, guint n)
{
    guint n_rows = hiera_table_count(table);
    GArray *cells = g_array_sized_new(FALSE, FALSE, sizeof(HieraCell), n * n_rows);
    HieraColumn *chosen = g_new(HieraColumn, n);
    for (guint i = 0; i < n; i++)
        chosen[i] = as_chosen(&table->columns[columns[i]]);
    for (guint row = 0; row < n_rows; row++) {
        const HieraCell *from = hiera_table_peek_row(table, row);
        for (guint i = 0; i < n; i++)
            g_array_append_val(cells, from[columns[i]]);
    }
    g_array_unref(table->cells);
    g_free(table->chosen);
    table->cells = cells;
    table->columns = table->chosen = chosen;
    table->n_columns = n;
}

static gboolean is_too_large(const HieraTable *table, guint column)
{
    if (hiera_cell_is_text(&table->columns[column]))
        return FALSE;
    for (guint i = column; i < table->cells->len; i += table->n_columns) {
        if (g_array_index(table->cells, HieraCell, i).number == HIERA_TOO_LARGE)
            return TRUE;
    }
    return FALSE;
}

void hiera_table_check_range(const HieraTable *table, HieraFindings *findings)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < table->n_columns; i++) {
        if (is_too_large(table, i))
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", table->columns[i].name);
    }
    if (names->len > 0)
        hiera_findings_add(findings, HIERA_FINDING_RANGE, "", 0, NULL,
                           "table %s: sums do not fit into 64 bits (%s) and are shown as the largest number; the "
                           "traces have absurd values",
                           table->title, names->str);
}
