/* Call sites have the same numbers in all processes, so a parent and a site identify a node. See packed_nodes.h. */
#include "packed_nodes.h"

/* Whether a node was made after those of all rows: for time before an operation, or for calls recorded as sums. */
static gboolean is_late(const HieraCallPaths *paths, guint32 node)
{
    return node >= paths->made[paths->trace->n_processors - 1];
}

/* Return the first processor that needed a node. */
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

/* A node of the call paths of one process. */
typedef struct {
    guint32 late, first; /* `late`: 1 if made after the nodes of all rows; `first`: first processor with it */
    guint32 process, number;
    guint32 parent, site;
} Node;

static GArray *list_nodes(const HieraCallPaths *paths, guint32 process)
{
    GArray *nodes = g_array_new(FALSE, FALSE, sizeof(Node));
    for (guint32 i = 1; i < paths->tree->nodes->len; i++) {
        const HieraCallNode *of = hiera_call_tree_peek(paths->tree, i);
        Node node = {is_late(paths, i), find_first(paths, i), process, i, of->parent, of->site};
        g_array_append_val(nodes, node);
    }
    return nodes;
}

/* Sort nodes in the order in which a single process would make them: parents before their children. */
static gint compare_nodes(gconstpointer left, gconstpointer right)
{
    const Node *a = left, *b = right;
    if (a->late != b->late)
        return a->late < b->late ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Add the nodes of all processes to one tree. @param nodes  Node */
static void add_nodes(HieraCallTree *all, GArray *nodes, guint n_processes)
{
    GArray **numbers = g_new(GArray *, n_processes); /* by process and its node: guint32, node in `all` */
    for (guint i = 0; i < n_processes; i++)
        numbers[i] = g_array_new(FALSE, TRUE, sizeof(guint32));
    g_array_sort(nodes, compare_nodes);
    for (guint i = 0; i < nodes->len; i++) {
        const Node *node = &g_array_index(nodes, Node, i);
        GArray *of = numbers[node->process];
        if (node->number >= of->len)
            g_array_set_size(of, node->number + 1);
        g_array_index(of, guint32, node->number) =
            hiera_call_tree_find(all, g_array_index(of, guint32, node->parent), node->site);
    }
    for (guint i = 0; i < n_processes; i++)
        g_array_unref(numbers[i]);
    g_free(numbers);
}

static void pack_tree(HieraPacker *to, gpointer user)
{
    const HieraCallTree *all = user;
    hiera_pack_number(to, all->nodes->len - 1);
    for (guint32 i = 1; i < all->nodes->len; i++) {
        hiera_pack_number(to, hiera_call_tree_peek(all, i)->parent);
        hiera_pack_number(to, hiera_call_tree_peek(all, i)->site);
    }
}

static void unpack_tree(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        guint32 parent = (guint32)hiera_unpack_number(from);
        (void)hiera_call_tree_find(user, parent, (guint32)hiera_unpack_number(from));
    }
}

/* Replace the tree of the paths by `all`, which has all its nodes too. @return by old node: its number in `all` */
static guint32 *move_to(HieraCallPaths *paths, HieraCallTree *all)
{
    guint32 n = paths->tree->nodes->len, *to = g_new0(guint32, (gsize)n + 1);
    for (guint32 i = 1; i < n; i++) {
        const HieraCallNode *node = hiera_call_tree_peek(paths->tree, i);
        to[i] = hiera_call_tree_find(all, to[node->parent], node->site);
    }
    for (guint64 row = 0; row < paths->trace->n_operations; row++)
        paths->node[row] = to[paths->node[row]];
    hiera_call_tree_free(paths->tree);
    paths->tree = all;
    g_array_set_size(paths->before, 0);
    g_clear_pointer(&paths->made, g_free);
    g_clear_pointer(&paths->late, g_array_unref);
    return to;
}

guint32 *hiera_nodes_unite(HieraCallPaths *paths, const HieraScope *scope)
{
    if (!scope->share.own) {
        guint32 n = paths->tree->nodes->len, *same = g_new(guint32, (gsize)n + 1);
        for (guint32 i = 0; i < n; i++)
            same[i] = i;
        return same;
    }
    HieraCallTree *all = hiera_call_tree_new();
    g_autoptr(GArray) nodes = list_nodes(paths, hiera_scope_process(scope));
    hiera_scope_gather_array(scope, paths->trace, nodes);
    if (hiera_scope_leads(scope))
        add_nodes(all, nodes, hiera_scope_count_processes(scope));
    hiera_scope_tell(scope, paths->trace, pack_tree, unpack_tree, all);
    return move_to(paths, all);
}

void hiera_call_paths_init_together(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope)
{
    hiera_call_paths_init(paths, trace, scope);
    g_free(hiera_nodes_unite(paths, scope));
}
