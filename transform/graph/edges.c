/* Edges; see edges.h. The tree has at most two edges for each operation. The other edges are counted before they are
 * stored, so that the array is no larger than necessary: it exists while igraph makes its own copies, which is when
 * memory is at its peak. */
#include "edges.h"
#include "base/threads.h"
#include "edge_visits.h"

/* Store an edge if the arrays have room; count it in any case. */
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

/* What add_tree_edge() needs for the edges between the calls of one processor. */
typedef struct {
    HieraEdges *edges;
    igraph_integer_t processor, shift; /* vertex of the processor; vertex of an operation minus its row */
} Tree;

static void add_tree_edge(HieraEdge kind, guint32 from, guint32 to, gpointer user)
{
    const Tree *tree = user;
    igraph_integer_t origin = from == HIERA_NONE ? tree->processor : from + tree->shift;
    add_edge(tree->edges, (guint8)kind, origin, to + tree->shift);
}

static gpointer add_trees(gpointer data)
{
    HieraEdges *edges = data;
    g_autoptr(GArray) last = g_array_new(FALSE, TRUE, sizeof(guint32));
    for (guint32 i = 0; i < edges->graph->trace->n_processors; i++) {
        Tree tree = {edges, hiera_graph_processor_vertex(edges->graph, i), (igraph_integer_t)i + 1};
        hiera_edges_visit_tree(edges->graph->trace, i, last, add_tree_edge, &tree);
    }
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

static igraph_integer_t vertex_of(const HieraEdges *edges, guint32 row)
{
    return row == HIERA_NONE ? edges->graph->hubs + edges->n_hubs - 1 : hiera_graph_operation_vertex(edges->graph, row);
}

static void add_dependence(guint32 from, guint32 to, gpointer user)
{
    HieraEdges *edges = user;
    if (edges->n >= edges->room)
        edges->n++;
    else
        add_edge(edges, HIERA_EDGE_COLLECTIVE, vertex_of(edges, from), vertex_of(edges, to));
}

static void add_collectives(HieraEdges *edges)
{
    const HieraMatch *match = edges->graph->match;
    for (guint i = 0; i < match->collectives->len; i++) {
        edges->n_hubs += hiera_collective_has_vertex(&g_array_index(match->collectives, HieraCollective, i));
        hiera_edges_visit_collective(match, i, add_dependence, edges);
    }
}

/* Add the edges of matched operations, kind after kind, behind those of the call tree. */
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

/* Resize both arrays for n edges. @return FALSE: memory is missing, and both arrays are freed */
static gboolean make_room(HieraEdges *edges, gsize n)
{
    gboolean few = n <= IGRAPH_ECOUNT_MAX; /* FALSE: too many edges for an igraph that is built with 32-bit numbers */
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
