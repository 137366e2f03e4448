/* Rows are found through an array by node (or processor) and kind; see path_rows.h. */
#include "path_rows.h"
#include "packed_nodes.h"
#include "values/outermost.h"
#include "values/shares.h"
#include <string.h>

static void row_clear(gpointer row)
{
    g_array_unref(((HieraPathRow *)row)->shares);
    g_array_unref(((HieraPathRow *)row)->threads);
}

void hiera_path_rows_clear(HieraPathRows *rows)
{
    hiera_call_paths_clear(&rows->paths);
    g_array_unref(rows->rows);
    g_array_unref(rows->places);
}

/* Return the level of a node's operation; of a node for time before it or of the collector, the level of its parent. */
static const char *level_of(const HieraPathRows *rows, guint32 node)
{
    const HieraCallNode *at = hiera_call_tree_peek(rows->paths.tree, node);
    gboolean around = hiera_call_is_before(at->site) || at->site == HIERA_CALL_OWN;
    const HieraSite *site = hiera_call_paths_site(&rows->paths, around ? at->parent : node);
    return site ? site->level : "";
}

/* Append a row. @return index of the row + 1 */
static guint32 append_row(const HieraPathRows *rows, guint32 node, const char *level, guint kind)
{
    HieraPathRow row = {.node = node, .level = level, .kind = kind, .least_ns = G_MAXINT64};
    row.shares = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    row.threads = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    g_array_append_val(rows->rows, row);
    return rows->rows->len;
}

/* Find the row with a level and kind; make it if it does not exist. @return index of the row + 1 */
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

static guint32 *place_of(const HieraPathRows *rows, guint32 processor, guint32 node, guint kind)
{
    guint number = node;
    if (rows->by == HIERA_BY_RANK)
        number = processor;
    else if (rows->by == HIERA_BY_KIND)
        number = 0;
    guint place = number * HIERA_N_KINDS + kind;
    if (place >= rows->places->len)
        g_array_set_size(rows->places, place + 1);
    return &g_array_index(rows->places, guint32, place);
}

static HieraPathRow *find_row(const HieraPathRows *rows, guint32 processor, guint32 node, guint kind)
{
    guint32 *at = place_of(rows, processor, node, kind);
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

/* Sort rows by time, most first; of equal time by lowest rank, then by node and kind. */
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
                          HieraProcessorVisit begin, HieraTimelineVisit visit, HieraSpanVisit span, gpointer user)
{
    make_empty(rows, scope);
    hiera_call_paths_init(&rows->paths, trace, scope);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (!hiera_scope_is_own(scope, i))
            continue;
        begin(i, user);
        visit(trace, i, span, user);
    }
    g_array_sort(rows->rows, compare_rows);
}

void hiera_path_rows_cells(const HieraPathRows *rows, const HieraPathRow *row, HieraTable *table, HieraCell *cells)
{
    static const char *const kinds[HIERA_N_KINDS] = {"computation", "communication", "io", "hiera", "idle", "skew"};
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

/* --- several processes: process 0 gets the rows of all --- */

/* Replace the nodes of this process in rows by those of all processes, and index the rows by the new ones. */
static void unite(HieraPathRows *rows)
{
    g_autofree guint32 *to = hiera_nodes_unite(&rows->paths, rows->scope);
    g_array_set_size(rows->places, 0);
    for (guint i = 0; i < rows->rows->len; i++) {
        HieraPathRow *row = &g_array_index(rows->rows, HieraPathRow, i);
        row->node = to[row->node];
        if (rows->by != HIERA_BY_LEVEL) /* with HIERA_BY_LEVEL, rows are found by the name of the level */
            *place_of(rows, g_array_index(row->shares, HieraShare, 0).processor, row->node, row->kind) = i + 1;
    }
}

static void pack_rows(HieraPacker *to, gpointer user)
{
    const HieraPathRows *rows = user;
    hiera_pack_number(to, rows->rows->len);
    for (guint i = 0; i < rows->rows->len; i++) {
        const HieraPathRow *row = &g_array_index(rows->rows, HieraPathRow, i);
        const gint64 numbers[] = {
            row->node,     row->kind,  row->time_ns, (gint64)(row->weighted >> 64), (gint64)row->weighted,
            row->least_ns, row->unsure};
        hiera_pack_text(to, row->level);
        hiera_pack_bytes(to, numbers, sizeof numbers);
        hiera_shares_pack(row->shares, to);
        hiera_shares_pack(row->threads, to);
    }
}

static void unpack_row(HieraUnpacker *from, HieraPathRows *rows)
{
    const char *level = hiera_unpack_text(from);
    gint64 numbers[7];
    g_autoptr(GArray) shares = g_array_new(FALSE, FALSE, sizeof(HieraShare)),
                      threads = g_array_new(FALSE, FALSE, sizeof(HieraShare));
    hiera_unpack_bytes(from, numbers, sizeof numbers);
    hiera_shares_unpack(from, shares);
    hiera_shares_unpack(from, threads);
    guint kind = (guint)numbers[1];
    HieraPathRow *row;
    if (rows->by == HIERA_BY_LEVEL) {
        guint32 place = of_level(rows, level, kind);
        row = &g_array_index(rows->rows, HieraPathRow, place - 1);
    } else {
        row = find_row(rows, g_array_index(shares, HieraShare, 0).processor, (guint32)numbers[0], kind);
    }
    row->time_ns = hiera_plus(row->time_ns, numbers[2]);
    row->weighted += (__int128)numbers[3] * ((__int128)1 << 64) + (guint64)numbers[4];
    row->least_ns = MIN(row->least_ns, numbers[5]);
    row->unsure += numbers[6];
    g_array_append_vals(row->shares, shares->data, shares->len);
    g_array_append_vals(row->threads, threads->data, threads->len);
}

static void unpack_rows(HieraUnpacker *from, gpointer rows)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--)
        unpack_row(from, rows);
}

void hiera_path_rows_gather(HieraPathRows *rows)
{
    unite(rows);
    hiera_scope_gather_others(rows->scope, rows->paths.trace, pack_rows, unpack_rows, rows);
    for (guint i = 0; i < rows->rows->len; i++) {
        hiera_shares_settle(g_array_index(rows->rows, HieraPathRow, i).shares);
        hiera_shares_settle(g_array_index(rows->rows, HieraPathRow, i).threads);
    }
    g_array_sort(rows->rows, compare_rows);
}
