/* Tables of results: rows of cells that can be sorted, and added up by their keys. */
#include "table.h"
#include "base/findings.h"
#include <string.h>

typedef struct {
    const char *sentence; /* NULL: no limit */
    HieraFindingCode code;
} Limit;

struct HieraTable {
    const char *title;
    const HieraColumn *columns;
    guint n_columns;
    GArray *cells;       /* HieraCell: n_columns for each row, row after row */
    GStringChunk *texts; /* texts of hiera_table_keep; NULL: none yet */
    HieraColumn *own;    /* `columns` if they are a changed copy, which the table owns; else NULL */
    GArray *operations;  /* guint32 by row: operation that the row is linked to; may be shorter than the rows. NULL: no
                            links */
    gboolean chosen;     /* whether hiera_table_choose() has set the columns */
    const char *reference; /* what its numbers are, for JSON; NULL: not written */
    const char *nothing;   /* sentence that explains an empty table; NULL: none */
    guint left_out;        /* number of rows that hiera_table_keep_first() removed */
    Limit limit;           /* of all rows */
    GArray *more_limits;   /* Limit; NULL: none */
};

void hiera_table_refer(HieraTable *table, const char *reference)
{
    table->reference = reference;
}

const char *hiera_table_peek_reference(const HieraTable *table)
{
    return table->reference;
}

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
    g_clear_pointer(&table->operations, g_array_unref);
    g_clear_pointer(&table->more_limits, g_array_unref);
    g_clear_pointer(&table->texts, g_string_chunk_free);
    g_free(table->own);
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

void hiera_table_explain_nothing(HieraTable *table, const char *sentence)
{
    table->nothing = sentence;
}

void hiera_table_point(HieraTable *table, guint32 operation)
{
    if (!table->operations)
        table->operations = g_array_new(FALSE, FALSE, sizeof(guint32));
    while (table->operations->len < hiera_table_count(table)) {
        const guint32 none = HIERA_NONE;
        g_array_append_val(table->operations, none);
    }
    g_array_index(table->operations, guint32, hiera_table_count(table) - 1) = operation;
}

guint32 hiera_table_peek_operation(const HieraTable *table, guint row)
{
    const GArray *operations = table->operations;
    return operations && row < operations->len ? g_array_index(operations, guint32, row) : HIERA_NONE;
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

/* Merge adjacent rows with equal keys into one row, whose sums are added up. */
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
    g_clear_pointer(&table->operations, g_array_unref);
    sort(table, compare_keys);
    add_up(table);
    sort(table, compare_rows);
}

/* Replace the columns of a table by others, which the table then owns. */
static void take_columns(HieraTable *table, HieraColumn *columns, guint n_columns)
{
    g_free(table->own);
    table->columns = table->own = columns;
    table->n_columns = n_columns;
}

/* How rows are sorted: by one column, rising or falling. */
typedef struct {
    const HieraTable *table;
    guint column;
    gboolean falling;
} Sorting;

/* Compare two rows, given by their indices, for g_qsort_with_data. @param data  Sorting */
static int compare_places(const void *left, const void *right, void *data)
{
    const Sorting *sorting = data;
    const guint *places[] = {left, right};
    int order = compare_cells(&sorting->table->columns[sorting->column],
                              &hiera_table_peek_row(sorting->table, *places[0])[sorting->column],
                              &hiera_table_peek_row(sorting->table, *places[1])[sorting->column]);
    if (order != 0)
        return sorting->falling ? -order : order;
    return (*places[0] > *places[1]) - (*places[0] < *places[1]);
}

/* Reorder the rows of a table. @param places  by new index: present index of the row */
static void arrange(HieraTable *table, const guint *places)
{
    GArray *cells = g_array_sized_new(FALSE, FALSE, sizeof(HieraCell), table->cells->len);
    g_clear_pointer(&table->operations, g_array_unref);
    for (guint i = 0, n = hiera_table_count(table); i < n; i++)
        g_array_append_vals(cells, hiera_table_peek_row(table, places[i]), table->n_columns);
    g_array_unref(table->cells);
    table->cells = cells;
}

static void flatten_trees(HieraTable *table)
{
    HieraColumn *columns = g_memdup2(table->columns, table->n_columns * sizeof *columns);
    for (guint i = 0; i < table->n_columns; i++) {
        if (columns[i].type == HIERA_CELL_PATH)
            columns[i].type = HIERA_CELL_CALLERS;
    }
    take_columns(table, columns, table->n_columns);
}

void hiera_table_sort(HieraTable *table, guint column, HieraOrder order)
{
    const HieraColumn *by = &table->columns[column];
    gboolean quantity = by->role != HIERA_ROLE_KEY && !hiera_cell_is_text(by);
    Sorting sorting = {table, column, order == HIERA_ORDER_DOWN || (order == HIERA_ORDER_USUAL && quantity)};
    guint n = hiera_table_count(table);
    g_autofree guint *places = g_new(guint, n);
    for (guint i = 0; i < n; i++)
        places[i] = i;
    if (n > 0)
        qsort_r(places, n, sizeof *places, compare_places, &sorting);
    arrange(table, places);
    flatten_trees(table);
}

void hiera_table_keep_first(HieraTable *table, guint n)
{
    guint n_rows = hiera_table_count(table);
    if (n >= n_rows)
        return;
    g_array_set_size(table->cells, n * table->n_columns);
    table->left_out += n_rows - n;
}

guint hiera_table_count_left_out(const HieraTable *table)
{
    return table->left_out;
}

/* Return a column that the user chose by name: if it is no key it becomes a sum, so that it is not left out. */
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
    table->cells = cells;
    table->chosen = TRUE;
    take_columns(table, chosen, n);
}

gboolean hiera_table_is_chosen(const HieraTable *table)
{
    return table->chosen;
}

const char *hiera_table_peek_nothing(const HieraTable *table)
{
    return table->nothing;
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

void hiera_table_limit(HieraTable *table, HieraFindingCode code, const char *sentence)
{
    table->limit = (Limit){sentence ? hiera_table_keep(table, sentence) : NULL, code};
}

void hiera_table_limit_too(HieraTable *table, HieraFindingCode code, const char *sentence)
{
    if (!sentence)
        return;
    const Limit limit = {hiera_table_keep(table, sentence), code};
    if (!table->more_limits)
        table->more_limits = g_array_new(FALSE, FALSE, sizeof(Limit));
    g_array_append_val(table->more_limits, limit);
}

static void tell_limit(const Limit *limit, HieraFindings *findings)
{
    if (limit->sentence)
        hiera_findings_add(findings, limit->code, "", 0, NULL, "%s", limit->sentence);
}

void hiera_table_check(const HieraTable *table, HieraFindings *findings)
{
    tell_limit(&table->limit, findings);
    for (guint i = 0; table->more_limits && i < table->more_limits->len; i++)
        tell_limit(&g_array_index(table->more_limits, Limit, i), findings);
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
