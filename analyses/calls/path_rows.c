/* Rows of time; see path_rows.h. */
#include "path_rows.h"
#include "timeline.h"
#include "values/outermost.h"
#include "values/shares.h"
#include <stdlib.h>
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
    gboolean around = hiera_call_is_before(at->site) || at->site == HIERA_CALL_OWN;
    const HieraSite *site = hiera_call_paths_site(&rows->paths, around ? at->parent : node);
    return site ? site->level : "";
}

/* @return its index + 1 */
static guint32 append_row(const HieraPathRows *rows, guint32 node, const char *level, guint kind)
{
    HieraPathRow row = {.node = node, .level = level, .kind = kind, .number = rows->rows->len, .least_ns = G_MAXINT64};
    row.shares = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    g_array_append_val(rows->rows, row);
    return rows->rows->len;
}

/* Make a row of a level and kind, or find it. @return its index + 1 */
static guint32 of_level(const HieraPathRows *rows, const char *level, guint kind)
{
    for (guint i = 0; i < rows->rows->len; i++) {
        const HieraPathRow *other = &g_array_index(rows->rows, HieraPathRow, i);
        if (other->kind == kind && strcmp(other->level, level) == 0)
            return i + 1;
    }
    return append_row(rows, 0, level, kind);
}

static guint32 make_row(const HieraPathRows *rows, guint32 node, guint kind)
{
    if (rows->by == HIERA_BY_LEVEL)
        return of_level(rows, level_of(rows, node), kind);
    return rows->by == HIERA_BY_PATH ? append_row(rows, node, level_of(rows, node), kind)
                                     : append_row(rows, 0, "", kind);
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

HieraPathRow *hiera_path_rows_add(HieraPathRows *rows, guint kind, const HieraTimeSpan *span)
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

static void make_empty(HieraPathRows *rows, const HieraScope *scope)
{
    *rows = (HieraPathRows){scope,
                            (HieraPathBy)hiera_scope_find_by(scope, HIERA_PATH_BY),
                            {0},
                            g_array_new(FALSE, FALSE, sizeof(HieraPathRow)),
                            g_array_new(FALSE, TRUE, sizeof(guint32))};
    g_array_set_clear_func(rows->rows, row_clear);
}

void hiera_path_rows_init(HieraPathRows *rows, const HieraTrace *trace, const HieraScope *scope,
                          HieraProcessorVisit begin, HieraSpanVisit span, gpointer user)
{
    make_empty(rows, scope);
    hiera_call_paths_init(&rows->paths, trace, scope);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (!hiera_scope_is_own(scope, i))
            continue;
        begin(i, user);
        hiera_timeline_visit(trace, i, span, user);
    }
    g_array_sort(rows->rows, compare_rows);
}

void hiera_path_rows_cells(const HieraPathRows *rows, const HieraPathRow *row, HieraTable *table, HieraCell *cells)
{
    static const char *const kinds[HIERA_N_KINDS] = {"computation", "communication", "io", "hiera", "skew"};
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

/* --- several processes --- */

enum { KIND = HIERA_N_NODE_COLUMNS, LEVEL, NUMBER, TIME, WEIGHTED_HIGH, WEIGHTED_LOW, LEAST, UNSURE, N_PART_COLUMNS };

static void pack_row(const HieraPathRows *rows, const HieraPathRow *row, HieraTable *part)
{
    const HieraShare *shares = (const HieraShare *)(const void *)row->shares->data;
    for (guint i = 0; i < row->shares->len; i++) {
        HieraCell cells[N_PART_COLUMNS];
        hiera_node_pack(&rows->paths, row->node, shares[i].processor, part, cells);
        cells[KIND].number = row->kind;
        cells[LEVEL].text = hiera_table_keep(part, row->level);
        cells[NUMBER].number = row->number;
        cells[TIME].number = shares[i].time_ns;
        cells[WEIGHTED_HIGH].number =
            i == 0 ? (gint64)(row->weighted >> 64) : 0; /* the slack of all in the first one */
        cells[WEIGHTED_LOW].number = i == 0 ? (gint64)row->weighted : 0;
        cells[LEAST].number = row->least_ns;
        cells[UNSURE].number = i == 0 ? row->unsure : 0;
        hiera_table_add(part, cells);
    }
}

void hiera_path_rows_pack(const HieraPathRows *rows, HieraTable *part)
{
    if (rows->by == HIERA_BY_PATH)
        hiera_nodes_pack(&rows->paths, part);
    for (guint i = 0; i < rows->rows->len; i++)
        pack_row(rows, &g_array_index(rows->rows, HieraPathRow, i), part);
}

/* Order in which one process would have added the times: by processor, then as the process that has it made the rows.
 */
static int compare_times(const void *left, const void *right)
{
    const HieraCell *a = *(const HieraCell *const *)left, *b = *(const HieraCell *const *)right;
    if (a[HIERA_NODE_PROCESSOR].number != b[HIERA_NODE_PROCESSOR].number)
        return a[HIERA_NODE_PROCESSOR].number < b[HIERA_NODE_PROCESSOR].number ? -1 : 1;
    return (a[NUMBER].number > b[NUMBER].number) - (a[NUMBER].number < b[NUMBER].number);
}

static void unpack_time(HieraPathRows *rows, const HieraCell *cells, HieraTable *table)
{
    guint32 processor = (guint32)cells[HIERA_NODE_PROCESSOR].number;
    guint kind = (guint)cells[KIND].number;
    gboolean is_level = rows->by == HIERA_BY_LEVEL;
    guint32 place = is_level ? of_level(rows, hiera_table_keep(table, cells[LEVEL].text), kind) : 0;
    HieraPathRow *row = is_level ? &g_array_index(rows->rows, HieraPathRow, place - 1)
                                 : find_row(rows, processor, hiera_node_unpack(&rows->paths, cells), kind);
    row->time_ns = hiera_plus(row->time_ns, cells[TIME].number);
    row->weighted += (__int128)cells[WEIGHTED_HIGH].number * ((__int128)1 << 64) + (guint64)cells[WEIGHTED_LOW].number;
    row->least_ns = MIN(row->least_ns, cells[LEAST].number);
    row->unsure += cells[UNSURE].number;
    hiera_shares_add(row->shares, processor, cells[TIME].number);
}

void hiera_path_rows_unpack(HieraPathRows *rows, const HieraTrace *trace, const HieraScope *scope,
                            const HieraTable *parts, HieraTable *table)
{
    guint n = hiera_table_count(parts);
    g_autofree const HieraCell **sorted = g_new(const HieraCell *, (gsize)n + 1);
    make_empty(rows, scope);
    hiera_nodes_unpack(&rows->paths, trace, parts);
    for (guint i = 0; i < n; i++)
        sorted[i] = hiera_table_peek_row(parts, i);
    qsort(sorted, n, sizeof *sorted, compare_times);
    for (guint i = 0; i < n && sorted[i][HIERA_NODE_PROCESSOR].number != HIERA_NONE; i++) /* those are the last */
        unpack_time(rows, sorted[i], table);
    g_array_sort(rows->rows, compare_rows);
}

void hiera_path_rows_gather(HieraPathRows *rows, HieraTable *table)
{
    static const HieraColumn columns[] = {HIERA_PATH_PART_COLUMNS};
    const HieraTrace *trace = rows->paths.trace;
    const HieraScope *scope = rows->scope;
    g_autoptr(HieraTable) parts = hiera_table_new("", columns, G_N_ELEMENTS(columns));
    hiera_path_rows_pack(rows, parts);
    hiera_scope_gather_rows(scope, trace, parts);
    if (!hiera_scope_leads(scope))
        return;
    hiera_path_rows_clear(rows);
    hiera_path_rows_unpack(rows, trace, scope, parts, table);
}
