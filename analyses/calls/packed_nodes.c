/* See packed_nodes.h. A path goes as numbers of sites, which are the same in all processes, the outermost first. */
#include "packed_nodes.h"
#include <stdlib.h>

/* Whether a node was made after those of all rows: of the time before an operation, or of sums. */
static gboolean is_late(const HieraCallPaths *paths, guint32 node)
{
    return node >= paths->made[paths->trace->n_processors - 1];
}

/* Return the first processor that has a node. */
static guint32 find_first(const HieraCallPaths *paths, guint32 node)
{
    guint32 low = 0, high = paths->trace->n_processors;
    if (is_late(paths, node))
        return g_array_index(paths->late, guint32, node - paths->made[high - 1]);
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (paths->made[middle] <= node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static char *write_path(const HieraCallTree *tree, guint32 node)
{
    GString *path = g_string_new(NULL);
    for (; node != 0; node = hiera_call_tree_peek(tree, node)->parent) {
        g_autofree char *step = g_strdup_printf("%u ", hiera_call_tree_peek(tree, node)->site);
        g_string_prepend(path, step);
    }
    return g_string_free(path, FALSE);
}

void hiera_node_pack(const HieraCallPaths *paths, guint32 node, guint32 processor, HieraTable *part, HieraCell *cells)
{
    g_autofree char *path = write_path(paths->tree, node);
    cells[HIERA_NODE_LATE].number = is_late(paths, node);
    cells[HIERA_NODE_FIRST].number = find_first(paths, node);
    cells[HIERA_NODE_NUMBER].number = node;
    cells[HIERA_NODE_PATH].text = hiera_table_keep(part, path);
    cells[HIERA_NODE_PROCESSOR].number = processor;
}

void hiera_nodes_pack(const HieraCallPaths *paths, HieraTable *part)
{
    guint n_columns;
    const HieraColumn *columns = hiera_table_peek_columns(part, &n_columns);
    g_autofree HieraCell *cells = g_new0(HieraCell, n_columns);
    for (guint i = HIERA_N_NODE_COLUMNS; i < n_columns; i++) {
        if (columns[i].type == HIERA_CELL_TEXT)
            cells[i].text = "";
    }
    for (guint32 node = 1; node < paths->tree->nodes->len; node++) {
        hiera_node_pack(paths, node, HIERA_NONE, part, cells);
        hiera_table_add(part, cells);
    }
}

static int compare_nodes(const void *left, const void *right)
{
    const HieraCell *a = *(const HieraCell *const *)left, *b = *(const HieraCell *const *)right;
    for (guint i = HIERA_NODE_LATE; i <= HIERA_NODE_NUMBER; i++) {
        if (a[i].number != b[i].number)
            return a[i].number < b[i].number ? -1 : 1;
    }
    return 0;
}

void hiera_nodes_unpack(HieraCallPaths *paths, const HieraTrace *trace, const HieraTable *parts)
{
    hiera_nodes_unpack_first(paths, trace, parts, hiera_table_count(parts));
}

void hiera_nodes_unpack_first(HieraCallPaths *paths, const HieraTrace *trace, const HieraTable *parts, guint n)
{
    g_autofree const HieraCell **sorted = g_new(const HieraCell *, (gsize)n + 1);
    *paths =
        (HieraCallPaths){trace, hiera_call_tree_new(), NULL, g_array_new(FALSE, TRUE, sizeof(guint32)), NULL, NULL};
    for (guint i = 0; i < n; i++)
        sorted[i] = hiera_table_peek_row(parts, i);
    qsort(sorted, n, sizeof *sorted, compare_nodes);
    for (guint i = 0; i < n; i++)
        (void)hiera_node_unpack(paths, sorted[i]);
}

guint32 hiera_node_unpack(const HieraCallPaths *paths, const HieraCell *cells)
{
    const char *path = cells[HIERA_NODE_PATH].text;
    guint32 node = 0;
    char *end;
    for (guint64 site = g_ascii_strtoull(path, &end, 10); end != path; site = g_ascii_strtoull(path, &end, 10)) {
        node = hiera_call_tree_find(paths->tree, node, (guint32)site);
        path = end;
    }
    return node;
}

guint32 *hiera_nodes_map(const HieraCallPaths *paths, const HieraCallPaths *all)
{
    guint32 n = paths->tree->nodes->len, *to = g_new0(guint32, (gsize)n + 1);
    for (guint32 i = 1; i < n; i++) {
        const HieraCallNode *node = hiera_call_tree_peek(paths->tree, i);
        to[i] = hiera_call_tree_find(all->tree, to[node->parent], node->site);
    }
    return to;
}

void hiera_nodes_move(HieraCallPaths *paths, HieraCallPaths *all)
{
    g_autofree guint32 *to = hiera_nodes_map(paths, all);
    for (guint64 row = 0; row < paths->trace->n_operations; row++)
        paths->node[row] = to[paths->node[row]];
    all->node = g_steal_pointer(&paths->node);
    hiera_call_paths_clear(paths);
}

void hiera_call_paths_init_together(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope)
{
    static const HieraColumn columns[] = {HIERA_NODE_COLUMNS};
    HieraCallPaths own;
    if (!scope->own) {
        hiera_call_paths_init(paths, trace, scope);
        return;
    }
    g_autoptr(HieraTable) found = hiera_table_new("", columns, G_N_ELEMENTS(columns));
    hiera_call_paths_init(&own, trace, scope);
    hiera_nodes_pack(&own, found);
    hiera_scope_gather_rows(scope, trace, found);
    g_autoptr(HieraTable) told =
        hiera_scope_leads(scope) ? g_steal_pointer(&found) : hiera_table_new("", columns, G_N_ELEMENTS(columns));
    hiera_scope_tell_rows(scope, trace, told);
    hiera_nodes_unpack(paths, trace, told);
    hiera_nodes_move(&own, paths);
}
