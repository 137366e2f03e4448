/* Finds natural loops of a graph, and irreducible regions. See flow_graph.h.
 *
 * An edge is a back edge if its target dominates its source. If all cycles have one entry, no cycle is left without
 * back edges; so each strongly connected component that is left is an irreducible region. */
#include "flow_graph.h"
#include <stdlib.h>

/* State of the search for the loops of a graph. */
typedef struct {
    const HieraFlowGraph *graph;
    GPtrArray *loops;
    guint *mark; /* by node: number of the last walk that has visited the node */
    guint n_marks;
} Search;

static void free_loop(gpointer data)
{
    HieraLoop *loop = data;
    g_array_unref(loop->nodes);
    g_array_unref(loop->latches);
    g_array_unref(loop->entries);
    g_array_unref(loop->exits);
    g_free(loop);
}

static HieraLoop *add_loop(Search *search, guint header)
{
    HieraLoop *loop = g_new0(HieraLoop, 1);
    loop->header = header;
    loop->parent = HIERA_NO_NODE;
    loop->nodes = g_array_new(FALSE, FALSE, sizeof(guint));
    loop->latches = g_array_new(FALSE, FALSE, sizeof(guint));
    loop->entries = g_array_new(FALSE, FALSE, sizeof(guint));
    loop->exits = g_array_new(FALSE, FALSE, sizeof(HieraFlowEdge));
    g_ptr_array_add(search->loops, loop);
    return loop;
}

static void add_node(Search *search, HieraLoop *loop, guint node)
{
    if (search->mark[node] == search->n_marks || search->graph->place[node] == HIERA_NO_NODE)
        return;
    search->mark[node] = search->n_marks;
    g_array_append_val(loop->nodes, node);
}

static gboolean has(const GArray *nodes, guint node)
{
    return nodes->len > 0 && g_array_index(nodes, guint, nodes->len - 1) == node;
}

static gboolean is_back(const HieraFlowGraph *graph, guint from, guint to)
{
    return hiera_flow_graph_dominates(graph, to, from);
}

/* Find the nodes of a natural loop: all nodes that reach a latch without passing the header. */
static void find_natural(Search *search, guint header)
{
    const HieraFlowGraph *graph = search->graph;
    HieraLoop *loop = NULL;
    for (guint i = graph->before.first[header]; i < graph->before.first[header + 1]; i++) {
        guint latch = graph->before.nodes[i];
        if (!is_back(graph, latch, header))
            continue;
        if (!loop) {
            loop = add_loop(search, header);
            search->n_marks++;
            add_node(search, loop, header);
        }
        if (!has(loop->latches, latch))
            g_array_append_val(loop->latches, latch);
        add_node(search, loop, latch);
    }
    for (guint n = 1; loop && n < loop->nodes->len; n++) {
        guint node = g_array_index(loop->nodes, guint, n);
        for (guint i = graph->before.first[node]; i < graph->before.first[node + 1]; i++)
            add_node(search, loop, graph->before.nodes[i]);
    }
}

/* State of Tarjan's algorithm with a stack of its own: it finds strongly connected components without back edges. */
typedef struct {
    guint *index, *low, *next;
    guint *open, *path; /* stacks: nodes of open components; path from the start to the current node */
    gboolean *is_open;
    guint n_index, n_open, n_path;
} Components;

static void enter(const HieraFlowGraph *graph, Components *c, guint node)
{
    c->index[node] = c->low[node] = ++c->n_index;
    c->next[node] = graph->next.first[node];
    c->open[c->n_open++] = c->path[c->n_path++] = node;
    c->is_open[node] = TRUE;
}

static void close_component(Search *search, Components *c, guint root)
{
    guint begin = c->n_open;
    do
        c->is_open[c->open[--begin]] = FALSE;
    while (c->open[begin] != root);
    if (c->n_open - begin > 1) {
        HieraLoop *loop = add_loop(search, root);
        loop->irreducible = TRUE;
        g_array_append_vals(loop->nodes, c->open + begin, c->n_open - begin);
    }
    c->n_open = begin;
}

static void visit_from(Search *search, Components *c, guint start)
{
    const HieraFlowGraph *graph = search->graph;
    enter(graph, c, start);
    while (c->n_path > 0) {
        guint node = c->path[c->n_path - 1];
        if (c->next[node] < graph->next.first[node + 1]) {
            guint to = graph->next.nodes[c->next[node]++];
            if (is_back(graph, node, to))
                continue;
            if (c->index[to] == 0)
                enter(graph, c, to);
            else if (c->is_open[to])
                c->low[node] = MIN(c->low[node], c->index[to]);
            continue;
        }
        if (c->low[node] == c->index[node])
            close_component(search, c, node);
        if (--c->n_path > 0) {
            guint above = c->path[c->n_path - 1];
            c->low[above] = MIN(c->low[above], c->low[node]);
        }
    }
}

static void find_irreducible(Search *search)
{
    guint n = search->graph->n_nodes;
    g_autofree guint *room = g_new0(guint, 5 * (gsize)n);
    g_autofree gboolean *is_open = g_new0(gboolean, n);
    Components c = {.index = room,
                    .low = room + n,
                    .next = room + 2 * (gsize)n,
                    .open = room + 3 * (gsize)n,
                    .path = room + 4 * (gsize)n,
                    .is_open = is_open};
    if (n > 0)
        visit_from(search, &c, 0);
}

/* Add to each irreducible region all nodes of the natural loops whose headers are in the region. */
static void complete_regions(Search *search, guint n_natural)
{
    g_autofree HieraLoop **by_header = g_new0(HieraLoop *, search->graph->n_nodes);
    for (guint i = 0; i < n_natural; i++) {
        HieraLoop *loop = search->loops->pdata[i];
        by_header[loop->header] = loop;
    }
    for (guint i = n_natural; i < search->loops->len; i++) {
        HieraLoop *region = search->loops->pdata[i];
        g_autoptr(GArray) nodes = g_steal_pointer(&region->nodes);
        region->nodes = g_array_new(FALSE, FALSE, sizeof(guint));
        search->n_marks++;
        for (guint n = 0; n < nodes->len; n++)
            add_node(search, region, g_array_index(nodes, guint, n));
        for (guint n = 0; n < region->nodes->len; n++) {
            const HieraLoop *inside = by_header[g_array_index(region->nodes, guint, n)];
            for (guint k = 0; inside && k < inside->nodes->len; k++)
                add_node(search, region, g_array_index(inside->nodes, guint, k));
        }
    }
}

static int compare_places(gconstpointer a, gconstpointer b, gpointer graph)
{
    const guint *place = ((const HieraFlowGraph *)graph)->place;
    guint x = place[*(const guint *)a], y = place[*(const guint *)b];
    return x < y ? -1 : x > y;
}

/* Find entries and exits of a loop from the edges of its nodes. */
static void find_borders(Search *search, HieraLoop *loop)
{
    const HieraFlowGraph *graph = search->graph;
    g_array_sort_with_data(loop->nodes, compare_places, (gpointer)graph);
    search->n_marks++;
    for (guint n = 0; n < loop->nodes->len; n++)
        search->mark[g_array_index(loop->nodes, guint, n)] = search->n_marks;
    for (guint n = 0; n < loop->nodes->len; n++) {
        guint node = g_array_index(loop->nodes, guint, n);
        gboolean entered = node == 0;
        for (guint i = graph->before.first[node]; i < graph->before.first[node + 1]; i++) {
            guint from = graph->before.nodes[i];
            entered |= graph->place[from] != HIERA_NO_NODE && search->mark[from] != search->n_marks;
        }
        if (entered)
            g_array_append_val(loop->entries, node);
        for (guint i = graph->next.first[node]; i < graph->next.first[node + 1]; i++) {
            HieraFlowEdge exit = {node, graph->next.nodes[i]};
            if (search->mark[exit.to] != search->n_marks)
                g_array_append_val(loop->exits, exit);
        }
    }
    if (loop->irreducible && loop->entries->len > 0)
        loop->header = g_array_index(loop->entries, guint, 0);
}

/* Order by size, large loops first; of two with the same nodes, the irreducible region contains the natural loop. */
static int compare_sizes(gconstpointer a, gconstpointer b)
{
    const HieraLoop *x = *(HieraLoop *const *)a, *y = *(HieraLoop *const *)b;
    if (x->nodes->len != y->nodes->len)
        return x->nodes->len > y->nodes->len ? -1 : 1;
    return y->irreducible - x->irreducible;
}

/* Order by the header's place in the program, a loop before the loops inside it. */
static int compare_loops(gconstpointer a, gconstpointer b, gpointer graph)
{
    const HieraLoop *x = *(HieraLoop *const *)a, *y = *(HieraLoop *const *)b;
    int order = compare_places(&x->header, &y->header, graph);
    if (order != 0)
        return order;
    return x->depth < y->depth ? -1 : x->depth > y->depth;
}

/* Move the loops inside a loop right behind it, so that the list is a tree, written from top to bottom. */
static void order_as_tree(GPtrArray *loops)
{
    guint n = loops->len, top = 0;
    g_autofree HieraLoop **old = g_memdup2(loops->pdata, n * sizeof *old);
    g_autofree guint *sizes = g_new0(guint, n + 1), *places = g_new(guint, n + 1), *next = g_new(guint, n + 1);
    for (guint i = n; i-- > 0;) {
        sizes[i]++;
        if (old[i]->parent != HIERA_NO_NODE)
            sizes[old[i]->parent] += sizes[i];
    }
    for (guint i = 0; i < n; i++) {
        guint *place = old[i]->parent == HIERA_NO_NODE ? &top : &next[old[i]->parent];
        places[i] = *place;
        *place += sizes[i];
        next[i] = places[i] + 1;
        loops->pdata[places[i]] = old[i];
    }
    for (guint i = 0; i < n; i++)
        if (old[i]->parent != HIERA_NO_NODE)
            old[i]->parent = places[old[i]->parent];
}

/* Find the parent of each loop. Loops are disjoint or nested: so the last larger loop that contains the header is the
 * parent. */
static void nest(Search *search)
{
    g_autofree HieraLoop **innermost = g_new0(HieraLoop *, search->graph->n_nodes);
    g_autoptr(GHashTable) parents = g_hash_table_new(NULL, NULL), places = g_hash_table_new(NULL, NULL);
    g_ptr_array_sort(search->loops, compare_sizes);
    for (guint i = 0; i < search->loops->len; i++) {
        HieraLoop *loop = search->loops->pdata[i], *parent = innermost[loop->header];
        loop->depth = parent ? parent->depth + 1 : 1;
        g_hash_table_insert(parents, loop, parent);
        for (guint n = 0; n < loop->nodes->len; n++)
            innermost[g_array_index(loop->nodes, guint, n)] = loop;
    }
    g_ptr_array_sort_with_data(search->loops, compare_loops, (gpointer)search->graph);
    for (guint i = 0; i < search->loops->len; i++)
        g_hash_table_insert(places, search->loops->pdata[i], GUINT_TO_POINTER(i));
    for (guint i = 0; i < search->loops->len; i++) {
        HieraLoop *loop = search->loops->pdata[i], *parent = g_hash_table_lookup(parents, loop);
        if (parent)
            loop->parent = GPOINTER_TO_UINT(g_hash_table_lookup(places, parent));
    }
    order_as_tree(search->loops);
}

GPtrArray *hiera_loops_find(const HieraFlowGraph *graph)
{
    g_autofree guint *mark = g_new0(guint, graph->n_nodes);
    Search search = {graph, g_ptr_array_new_with_free_func(free_loop), mark, 0};
    for (guint i = 0; i < graph->n_reached; i++)
        find_natural(&search, graph->order[i]);
    guint n_natural = search.loops->len;
    find_irreducible(&search);
    complete_regions(&search, n_natural);
    for (guint i = 0; i < search.loops->len; i++)
        find_borders(&search, search.loops->pdata[i]);
    nest(&search);
    return search.loops;
}
