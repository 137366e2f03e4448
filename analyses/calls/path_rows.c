/* Rows of time; see path_rows.h. */
#include "path_rows.h"
#include "timeline.h"
#include "values/outermost.h"
#include "values/shares.h"
#include <string.h>

static void row_clear(gpointer row)
{
    g_array_unref(((HieraPathRow *)row)->shares);
}

void hiera_path_rows_clear(HieraPathRows *rows)
{
    hiera_call_paths_clear(&rows->paths);
    g_array_unref(rows->rows);
    g_array_unref(rows->places);
}

/* Return the level of the innermost operation. */
static const char *level_of(const HieraPathRows *rows, guint32 node)
{
    const HieraCallNode *at = hiera_call_tree_peek(rows->paths.tree, node);
    const HieraSite *site =
        hiera_call_paths_site(&rows->paths, node != 0 && at->site & HIERA_CALL_BEFORE ? at->parent : node);
    return site ? site->level : "";
}

/* Make a row, or find the one of the same level and kind. @return its index + 1 */
static guint32 make_row(HieraPathRows *rows, guint32 node, guint kind)
{
    gboolean of_level = rows->by == HIERA_BY_LEVEL, of_node = rows->by == HIERA_BY_PATH;
    HieraPathRow row = {.node = of_node ? node : 0,
                        .level = of_node || of_level ? level_of(rows, node) : "",
                        .kind = kind,
                        .shares = NULL,
                        .least_ns = G_MAXINT64};
    for (guint i = 0; of_level && i < rows->rows->len; i++) {
        const HieraPathRow *other = &g_array_index(rows->rows, HieraPathRow, i);
        if (other->kind == kind && strcmp(other->level, row.level) == 0)
            return i + 1;
    }
    row.shares = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    g_array_append_val(rows->rows, row);
    return rows->rows->len;
}

static HieraPathRow *find_row(HieraPathRows *rows, guint32 processor, guint32 node, guint kind)
{
    guint number = rows->by == HIERA_BY_RANK ? processor : rows->by == HIERA_BY_KIND ? 0 : node;
    guint place = number * HIERA_N_KINDS + kind;
    if (place >= rows->places->len)
        g_array_set_size(rows->places, place + 1);
    guint32 *at = &g_array_index(rows->places, guint32, place);
    if (*at == 0)
        *at = make_row(rows, node, kind);
    return &g_array_index(rows->rows, HieraPathRow, *at - 1);
}

static HieraPathRow *add_time(HieraPathRows *rows, guint32 processor, guint32 node, guint kind, gint64 time_ns)
{
    HieraPathRow *row = find_row(rows, processor, node, kind);
    row->time_ns = hiera_plus(row->time_ns, time_ns);
    hiera_shares_add(row->shares, processor, time_ns);
    return row;
}

HieraPathRow *hiera_path_rows_add(HieraPathRows *rows, guint kind, const HieraSpan *span)
{
    const HieraTrace *trace = rows->paths.trace;
    guint32 node = span->row == HIERA_NONE ? 0 : rows->paths.node[span->row];
    gint64 time_ns = hiera_scope_clip(rows->scope, span->begin_ns, span->end_ns);
    if (time_ns == 0 || (node == 0 && hiera_scope_has_units(rows->scope)) ||
        !hiera_scope_accepts_rank(rows->scope, trace->processors[span->processor].rank))
        return NULL;
    if (rows->by == HIERA_BY_PATH)
        node = hiera_call_paths_of_span(&rows->paths, span);
    return add_time(rows, span->processor, node, kind, time_ns);
}

void hiera_path_rows_add_time(HieraPathRows *rows, guint32 processor, guint32 node, guint kind, gint64 time_ns)
{
    if (time_ns != 0 && (node != 0 || !hiera_scope_has_units(rows->scope)))
        add_time(rows, processor, node, kind, time_ns);
}

/* The most time first; of equal ones the one with the lowest rank, then that of the lowest kind. */
static gint compare_rows(gconstpointer left, gconstpointer right)
{
    const HieraPathRow *a = left, *b = right;
    guint32 p = g_array_index(a->shares, HieraShare, 0).processor,
            q = g_array_index(b->shares, HieraShare, 0).processor;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? 1 : -1;
    if (p != q)
        return p < q ? -1 : 1;
    return a->node != b->node ? (a->node > b->node) - (a->node < b->node) : (a->kind > b->kind) - (a->kind < b->kind);
}

void hiera_path_rows_init(HieraPathRows *rows, const HieraTrace *trace, const HieraScope *scope,
                          HieraProcessorVisit begin, HieraSpanVisit span, gpointer user)
{
    *rows = (HieraPathRows){scope,
                            (HieraPathBy)hiera_scope_find_by(scope, HIERA_PATH_BY),
                            {0},
                            g_array_new(FALSE, FALSE, sizeof(HieraPathRow)),
                            g_array_new(FALSE, TRUE, sizeof(guint32))};
    g_array_set_clear_func(rows->rows, row_clear);
    hiera_call_paths_init(&rows->paths, trace, scope);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        begin(i, user);
        hiera_timeline_visit(trace, i, span, user);
    }
    g_array_sort(rows->rows, compare_rows);
}

void hiera_path_rows_cells(const HieraPathRows *rows, const HieraPathRow *row, HieraTable *table, HieraCell *cells)
{
    static const char *const kinds[HIERA_N_KINDS] = {"computation", "communication", "io", "skew"};
    gboolean path = rows->by == HIERA_BY_PATH && row->kind != HIERA_DOES_NOTHING;
    cells[0].text = path ? hiera_call_paths_text(&rows->paths, row->node, table) : "";
    cells[1].text = row->level;
    cells[2].text = hiera_shares_name_ranks(row->shares, rows->paths.trace, 0, table);
    cells[3].text = kinds[row->kind];
}

void hiera_path_rows_tell(const HieraPathRows *rows, HieraTable *table, HieraOwnCells own_cells, gpointer user)
{
    for (guint i = 0; i < rows->rows->len; i++) {
        const HieraPathRow *row = &g_array_index(rows->rows, HieraPathRow, i);
        HieraCell cells[HIERA_N_PATH_COLUMNS + HIERA_OWN_COLUMNS_MAX];
        hiera_path_rows_cells(rows, row, table, cells);
        own_cells(row, cells + HIERA_N_PATH_COLUMNS, user);
        hiera_table_add(table, cells);
    }
}
