/* Edges; see edges.h. The tree has at most two edges for each operation. The other edges are counted before they are
 * stored, so that the array is no larger than necessary: it exists while igraph makes its own copies, which is when
 * memory is at its peak. */
#include "edges.h"
#include "base/threads.h"

/* Store an edge, or only count it if there is no room. */
static void add_edge(HieraEdges *edges, guint8 kind, igraph_integer_t from, igraph_integer_t to)
{
    if (edges->n < edges->room) {
        edges->ends[2 * edges->n] = from;
        edges->ends[2 * edges->n + 1] = to;
        edges->kinds[edges->n] = kind;
    }
    edges->n++;
}

static void add_row_edge(HieraEdges *edges, guint8 kind, guint32 from, guint32 to)
{
    if (edges->n >= edges->room)
        edges->n++;
    else
        add_edge(edges, kind, hiera_graph_operation_vertex(edges->graph, from),
                 hiera_graph_operation_vertex(edges->graph, to));
}

/* Add the edges CHILD and NEXT of one processor.
 * @param last  guint32 by depth: row + 1 of the last operation at this depth. It is the previous sibling if it
 *              belongs to this processor and has the same parent and thread. */
static void add_tree(HieraEdges *edges, guint32 processor, GArray *last)
{
    const HieraTrace *trace = edges->graph->trace;
    const HieraProcessor *of = &trace->processors[processor];
    igraph_integer_t shift = (igraph_integer_t)processor + 1; /* from row to vertex */
    for (guint64 row = of->first; row < of->first + of->n_operations; row++) {
        guint32 depth = trace->depth[row], parent = trace->parent[row];
        igraph_integer_t vertex = (igraph_integer_t)row + shift;
        add_edge(edges, HIERA_EDGE_CHILD,
                 parent == HIERA_NONE ? (igraph_integer_t)of->first + processor : parent + shift, vertex);
        if (depth >= last->len)
            g_array_set_size(last, depth + 1);
        guint32 after_last = g_array_index(last, guint32, depth);
        if (after_last > of->first && trace->parent[after_last - 1] == parent &&
            trace->thread[after_last - 1] == trace->thread[row])
            add_edge(edges, HIERA_EDGE_NEXT, after_last - 1 + shift, vertex);
        g_array_index(last, guint32, depth) = (guint32)row + 1;
    }
}

static gpointer add_trees(gpointer data)
{
    HieraEdges *edges = data;
    g_autoptr(GArray) last = g_array_new(FALSE, TRUE, sizeof(guint32));
    for (guint32 processor = 0; processor < edges->graph->trace->n_processors; processor++)
        add_tree(edges, processor, last);
    return NULL;
}

static void add_messages(HieraEdges *edges)
{
    const HieraMatch *match = edges->graph->match;
    for (guint i = 0; i < match->messages->len; i++) {
        const HieraMessage *message = &g_array_index(match->messages, HieraMessage, i);
        add_row_edge(edges, message->doubt ? HIERA_EDGE_MESSAGE | HIERA_EDGE_IS_AMBIGUOUS : HIERA_EDGE_MESSAGE,
                     message->from, message->to);
    }
}

static void add_pairs(HieraEdges *edges, guint8 kind, const GArray *pairs)
{
    for (guint i = 0; i < pairs->len; i++) {
        const HieraPair *pair = &g_array_index(pairs, HieraPair, i);
        add_row_edge(edges, kind, pair->start, pair->completion);
    }
}

static void add_rooted(HieraEdges *edges, const HieraCollective *collective, const guint32 *members)
{
    for (guint32 i = 0; collective->root != HIERA_NONE && i < collective->n; i++) {
        if (members[i] == collective->root)
            continue;
        if (collective->kind == HIERA_KIND_ONE_TO_ALL)
            add_row_edge(edges, HIERA_EDGE_COLLECTIVE, collective->root, members[i]);
        else
            add_row_edge(edges, HIERA_EDGE_COLLECTIVE, members[i], collective->root);
    }
}

static void add_all_to_all(HieraEdges *edges, const HieraCollective *collective, const guint32 *members)
{
    if (collective->n == 2) {
        add_row_edge(edges, HIERA_EDGE_COLLECTIVE, members[0], members[1]);
        add_row_edge(edges, HIERA_EDGE_COLLECTIVE, members[1], members[0]);
    } else if (collective->n > 2) {
        igraph_integer_t hub = edges->graph->hubs + edges->n_hubs++;
        for (guint32 i = 0; i < collective->n; i++) {
            igraph_integer_t vertex = hiera_graph_operation_vertex(edges->graph, members[i]);
            add_edge(edges, HIERA_EDGE_COLLECTIVE, vertex, hub);
            add_edge(edges, HIERA_EDGE_COLLECTIVE, hub, vertex);
        }
    }
}

/* The edges of a neighbourhood collective that is being added. */
typedef struct {
    HieraEdges *edges;
    const guint32 *members;
} Neighbors;

static void add_neighbor(guint32 from, guint32 to, gpointer data)
{
    const Neighbors *neighbors = data;
    add_row_edge(neighbors->edges, HIERA_EDGE_COLLECTIVE, neighbors->members[from], neighbors->members[to]);
}

static void add_collective(HieraEdges *edges, guint32 number)
{
    const HieraMatch *match = edges->graph->match;
    const HieraCollective *collective = &g_array_index(match->collectives, HieraCollective, number);
    const guint32 *members = &g_array_index(match->members, guint32, collective->first);
    Neighbors neighbors = {edges, members};
    switch (collective->kind) {
    case HIERA_KIND_ONE_TO_ALL:
    case HIERA_KIND_ALL_TO_ONE:
        add_rooted(edges, collective, members);
        break;
    case HIERA_KIND_PREFIX: /* rising by rank */
        for (guint32 i = 1; i < collective->n; i++)
            add_row_edge(edges, HIERA_EDGE_COLLECTIVE, members[i - 1], members[i]);
        break;
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_GROUP:
        add_all_to_all(edges, collective, members);
        break;
    case HIERA_KIND_NEIGHBOR:
        hiera_match_visit_neighbors(match, number, add_neighbor, &neighbors);
        break;
    default: /* no member depends on another */
        break;
    }
}

static void add_collectives(HieraEdges *edges)
{
    for (guint i = 0; i < edges->graph->match->collectives->len; i++)
        add_collective(edges, i);
}

/* Add the edges of matched operations, kind after kind; their numbers follow those of the tree's edges. */
static void add_matches(HieraEdges *edges)
{
    const HieraMatch *match = edges->graph->match;
    edges->n_hubs = 0;
    add_messages(edges);
    add_pairs(edges, HIERA_EDGE_REQUEST, match->requests);
    add_collectives(edges);
    add_pairs(edges, HIERA_EDGE_TRANSFER, match->transfers);
    add_pairs(edges, HIERA_EDGE_COMPLETION, match->completions);
    add_pairs(edges, HIERA_EDGE_EPOCH, match->epochs);
}

/* Resize the arrays for n edges. @return false if memory is missing; then both arrays are freed */
static gboolean make_room(HieraEdges *edges, gsize n)
{
    gboolean few = n <= IGRAPH_ECOUNT_MAX; /* igraph may be built with numbers of 32 bits */
    igraph_integer_t *ends = few ? g_try_renew(igraph_integer_t, edges->ends, 2 * n + 1) : NULL;
    edges->ends = ends ? ends : edges->ends;
    guint8 *kinds = ends ? g_try_renew(guint8, edges->kinds, n + 1) : NULL;
    edges->kinds = kinds ? kinds : edges->kinds;
    edges->room = kinds ? n : 0;
    if (!kinds)
        hiera_edges_clear(edges);
    return kinds != NULL;
}

void hiera_edges_begin(HieraEdges *edges, const HieraGraph *graph)
{
    *edges = (HieraEdges){.graph = graph};
    if (make_room(edges, 2 * (gsize)graph->trace->n_operations))
        edges->thread = hiera_threads_try("edges", add_trees, edges);
    if (!edges->thread)
        add_trees(edges);
}

gboolean hiera_edges_finish(HieraEdges *edges, GError **error)
{
    if (edges->thread)
        g_thread_join(g_steal_pointer(&edges->thread));
    gsize n_tree = edges->n;
    edges->room = 0;
    add_matches(edges);
    gsize n = edges->n;
    if (!edges->ends || !make_room(edges, n)) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_MEMORY,
                    "the graph cannot be built: %" G_GSIZE_FORMAT " edges are too many", n);
        return FALSE;
    }
    edges->n = n_tree;
    add_matches(edges);
    return TRUE;
}

void hiera_edges_clear(HieraEdges *edges)
{
    g_clear_pointer(&edges->ends, g_free);
    g_clear_pointer(&edges->kinds, g_free);
}
