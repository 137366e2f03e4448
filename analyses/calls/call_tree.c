/* A hash table finds the child of a node; see call_tree.h. */
#include "call_tree.h"
#include "text/hash.h"

HieraCallTree *hiera_call_tree_new(void)
{
    HieraCallTree *tree = g_new0(HieraCallTree, 1);
    HieraCallNode root = {.parent = HIERA_NONE, .site = HIERA_NONE, .min = G_MAXINT64};
    tree->nodes = g_array_new(FALSE, FALSE, sizeof(HieraCallNode));
    tree->places = g_hash_table_new(hiera_hash_pair, NULL);
    g_array_append_val(tree->nodes, root);
    return tree;
}

void hiera_call_tree_free(HieraCallTree *tree)
{
    if (!tree)
        return;
    g_array_unref(tree->nodes);
    g_hash_table_unref(tree->places);
    g_free(tree);
}

HieraCallNode *hiera_call_tree_peek(const HieraCallTree *tree, guint32 node)
{
    return &g_array_index(tree->nodes, HieraCallNode, node);
}

guint32 hiera_call_tree_lookup(const HieraCallTree *tree, guint32 parent, guint32 site)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(tree->places, hiera_pair(parent, site)));
}

gboolean hiera_call_tree_is_further(const HieraCallTree *tree, guint32 node)
{
    guint32 top = node;
    for (; node != 0; node = hiera_call_tree_peek(tree, node)->parent)
        top = node;
    return hiera_call_tree_peek(tree, top)->site == HIERA_CALL_THREADS;
}

guint32 hiera_call_tree_find(HieraCallTree *tree, guint32 parent, guint32 site)
{
    guint32 node = hiera_call_tree_lookup(tree, parent, site);
    if (node != 0)
        return node;
    HieraCallNode made = {.parent = parent, .site = site, .min = G_MAXINT64};
    node = tree->nodes->len;
    g_array_append_val(tree->nodes, made);
    g_hash_table_insert(tree->places, hiera_pair(parent, site), GUINT_TO_POINTER(node));
    return node;
}

void hiera_call_tree_sum(HieraCallTree *tree)
{
    for (guint32 i = tree->nodes->len; i-- > 1;) {
        const HieraCallNode *node = hiera_call_tree_peek(tree, i);
        HieraCallNode *parent = hiera_call_tree_peek(tree, node->parent);
        parent->sums.mpi = hiera_plus(parent->sums.mpi, node->sums.mpi);
        parent->sums.bytes = hiera_plus(parent->sums.bytes, node->sums.bytes);
        parent->sums.waiting = hiera_plus(parent->sums.waiting, node->sums.waiting);
    }
}

static void merge_node(HieraCallTree *all, guint32 to, const HieraCallNode *node, guint32 rank)
{
    HieraCallNode *into = hiera_call_tree_peek(all, to);
    into->sums.calls = hiera_plus(into->sums.calls, node->sums.calls);
    into->sums.inclusive = hiera_plus(into->sums.inclusive, node->sums.inclusive);
    into->sums.exclusive = hiera_plus(into->sums.exclusive, node->sums.exclusive);
    into->sums.mpi = hiera_plus(into->sums.mpi, node->sums.mpi);
    into->sums.bytes = hiera_plus(into->sums.bytes, node->sums.bytes);
    into->sums.waiting = hiera_plus(into->sums.waiting, node->sums.waiting);
    into->min = MIN(into->min, node->sums.inclusive);
    if (into->trees == 0 || node->sums.inclusive > into->max)
        into->slowest = rank;
    into->max = MAX(into->max, node->sums.inclusive);
    into->trees++;
}

guint32 *hiera_call_tree_merge(HieraCallTree *all, const HieraCallTree *tree, guint32 rank)
{
    guint32 *to = g_new0(guint32, tree->nodes->len);
    all->merged++;
    for (guint32 i = 0; i < tree->nodes->len; i++) {
        const HieraCallNode *node = hiera_call_tree_peek(tree, i);
        if (i > 0)
            to[i] = hiera_call_tree_find(all, to[node->parent], node->site);
        merge_node(all, to[i], node, rank);
    }
    return to;
}

void hiera_call_tree_pack(const HieraCallTree *tree, HieraPacker *to)
{
    hiera_pack_array(to, tree->nodes);
    hiera_pack_number(to, tree->merged);
}

/* Nodes keep their numbers: sites that differ in the other process also differ here, so no two nodes become one. */
HieraCallTree *hiera_call_tree_unpack(HieraUnpacker *from)
{
    HieraCallTree *tree = hiera_call_tree_new();
    g_autoptr(GArray) theirs = g_array_new(FALSE, FALSE, sizeof(HieraCallNode));
    hiera_unpack_array(from, theirs);
    for (guint32 i = 0; i < theirs->len; i++) {
        HieraCallNode node = g_array_index(theirs, HieraCallNode, i);
        if (node.site < HIERA_CALL_NO_SITE)
            node.site = hiera_unpack_site(from, node.site)->id;
        if (i > 0)
            hiera_call_tree_find(tree, node.parent, node.site);
        *hiera_call_tree_peek(tree, i) = node;
    }
    tree->merged = (guint32)hiera_unpack_number(from);
    return tree;
}

static gint compare_nodes(gconstpointer left, gconstpointer right, gpointer data)
{
    const HieraCallTree *tree = data;
    guint32 a = *(const guint32 *)left, b = *(const guint32 *)right;
    gint64 time_a = hiera_call_tree_peek(tree, a)->sums.inclusive,
           time_b = hiera_call_tree_peek(tree, b)->sums.inclusive;
    return time_a != time_b ? (time_a < time_b) - (time_a > time_b) : (a > b) - (a < b);
}

/* Return the children of all nodes, sorted; those of node i are at first[i] to first[i + 1] - 1. To be freed with
 * g_free.
 * @param first  receives the indices; must have one element more than there are nodes, all 0 */
static guint32 *sort_children(const HieraCallTree *tree, guint32 *first)
{
    guint32 n = tree->nodes->len, *children = g_new0(guint32, n);
    for (guint32 i = 1; i < n; i++)
        first[hiera_call_tree_peek(tree, i)->parent + 1]++;
    for (guint32 i = 0; i < n; i++)
        first[i + 1] += first[i];
    g_autofree guint32 *next = g_memdup2(first, (n + 1) * sizeof *first);
    for (guint32 i = 1; i < n; i++)
        children[next[hiera_call_tree_peek(tree, i)->parent]++] = i;
    for (guint32 i = 0; i < n; i++)
        g_qsort_with_data(children + first[i], (gint)(first[i + 1] - first[i]), sizeof *children, compare_nodes,
                          (gpointer)tree);
    return children;
}

guint32 *hiera_call_tree_order(const HieraCallTree *tree)
{
    guint32 n = tree->nodes->len, *order = g_new(guint32, n);
    g_autofree guint32 *first = g_new0(guint32, n + 1), *stack = g_new(guint32, n),
                       *children = sort_children(tree, first);
    guint32 on_stack = 0, done = 0;
    stack[on_stack++] = 0;
    while (on_stack > 0) {
        guint32 node = order[done++] = stack[--on_stack];
        for (guint32 i = first[node + 1]; i-- > first[node];)
            stack[on_stack++] = children[i];
    }
    return order;
}
