/* The graph; see hiera_graph.h. All edges go into one vector, their kinds into one array beside it, and igraph makes
 * the graph of them at once. igraph keeps the order of edges, so an edge's number finds its kind. */
#include "graph.h"
#include <string.h>

#define AMBIGUOUS 0x80 /* beside the kind of an edge */

static const char *const edge_names[] = {
#define X(identifier, name) name,
    HIERA_EDGES(X)
#undef X
};

/* Edges while they are gathered. */
typedef struct {
    const HieraGraph *graph;
    GArray *ends; /* igraph_integer_t, two per edge */
    GByteArray *kinds;
    igraph_integer_t hubs; /* vertices of collectives so far */
} Edges;

const char *hiera_edge_name(HieraEdge kind)
{
    return edge_names[kind];
}

igraph_integer_t hiera_graph_processor_vertex(const HieraGraph *graph, guint32 processor)
{
    return (igraph_integer_t)graph->trace->processors[processor].first + processor;
}

igraph_integer_t hiera_graph_operation_vertex(const HieraGraph *graph, guint32 row)
{
    return (igraph_integer_t)row + hiera_trace_find_processor(graph->trace, row) + 1;
}

/* The last processor whose vertex is not behind `vertex`. */
static guint32 find_processor(const HieraGraph *graph, igraph_integer_t vertex)
{
    guint32 low = 0, high = graph->trace->n_processors;
    while (high - low > 1) {
        guint32 middle = low + (high - low) / 2;
        if (hiera_graph_processor_vertex(graph, middle) <= vertex)
            low = middle;
        else
            high = middle;
    }
    return low;
}

guint32 hiera_graph_vertex_row(const HieraGraph *graph, igraph_integer_t vertex)
{
    if (vertex >= graph->hubs)
        return HIERA_NONE;
    guint32 processor = find_processor(graph, vertex);
    if (vertex == hiera_graph_processor_vertex(graph, processor))
        return HIERA_NONE;
    return (guint32)(vertex - processor - 1);
}

/* --- edges --- */

static void add_edge(Edges *edges, HieraEdge kind, igraph_integer_t from, igraph_integer_t to)
{
    igraph_integer_t ends[] = {from, to};
    guint8 byte = (guint8)kind;
    g_array_append_vals(edges->ends, ends, 2);
    g_byte_array_append(edges->kinds, &byte, 1);
}

static void add_row_edge(Edges *edges, HieraEdge kind, guint32 from, guint32 to)
{
    add_edge(edges, kind, hiera_graph_operation_vertex(edges->graph, from),
             hiera_graph_operation_vertex(edges->graph, to));
}

/* Children and successors of one processor. `last` remembers, by depth, the last operation seen there: the sibling
 * before, if parent and thread agree. */
static void add_tree(Edges *edges, guint32 processor, GArray *last)
{
    const HieraTrace *trace = edges->graph->trace;
    const HieraProcessor *of = &trace->processors[processor];
    igraph_integer_t root = hiera_graph_processor_vertex(edges->graph, processor);
    g_array_set_size(last, 0);
    for (guint32 row = of->first; row < of->first + of->n_operations; row++) {
        guint32 depth = trace->depth[row], parent = trace->parent[row];
        igraph_integer_t vertex = root + 1 + (row - of->first);
        add_edge(edges, HIERA_EDGE_CHILD,
                 parent == HIERA_NONE ? root : root + 1 + (igraph_integer_t)(parent - of->first), vertex);
        if (depth < last->len) {
            guint32 before = g_array_index(last, guint32, depth);
            if (before >= of->first && trace->parent[before] == parent && trace->thread[before] == trace->thread[row])
                add_edge(edges, HIERA_EDGE_NEXT, root + 1 + (before - of->first), vertex);
        }
        g_array_set_size(last, depth + 1);
        g_array_index(last, guint32, depth) = row;
    }
}

static void add_trees(Edges *edges)
{
    g_autoptr(GArray) last = g_array_new(FALSE, TRUE, sizeof(guint32));
    for (guint32 processor = 0; processor < edges->graph->trace->n_processors; processor++)
        add_tree(edges, processor, last);
}

static void add_messages(Edges *edges)
{
    const HieraMatch *match = edges->graph->match;
    for (guint i = 0; i < match->messages->len; i++) {
        const HieraMessage *message = &g_array_index(match->messages, HieraMessage, i);
        add_row_edge(edges, HIERA_EDGE_MESSAGE, message->from, message->to);
        if (message->doubt)
            edges->kinds->data[edges->kinds->len - 1] |= AMBIGUOUS;
    }
}

static void add_pairs(Edges *edges, HieraEdge kind, const GArray *pairs)
{
    for (guint i = 0; i < pairs->len; i++) {
        const HieraPair *pair = &g_array_index(pairs, HieraPair, i);
        add_row_edge(edges, kind, pair->start, pair->completion);
    }
}

static void add_rooted(Edges *edges, const HieraCollective *collective, const guint32 *members)
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

static void add_all_to_all(Edges *edges, const HieraCollective *collective, const guint32 *members)
{
    if (collective->n == 2) {
        add_row_edge(edges, HIERA_EDGE_COLLECTIVE, members[0], members[1]);
        add_row_edge(edges, HIERA_EDGE_COLLECTIVE, members[1], members[0]);
    } else if (collective->n > 2) {
        igraph_integer_t hub = edges->graph->hubs + edges->hubs++;
        for (guint32 i = 0; i < collective->n; i++) {
            igraph_integer_t vertex = hiera_graph_operation_vertex(edges->graph, members[i]);
            add_edge(edges, HIERA_EDGE_COLLECTIVE, vertex, hub);
            add_edge(edges, HIERA_EDGE_COLLECTIVE, hub, vertex);
        }
    }
}

/* From each member to its neighbours, if all members are there: the n-th member then has rank n. */
static void add_neighbors(Edges *edges, const HieraCollective *collective, const guint32 *members)
{
    const HieraTrace *trace = edges->graph->trace;
    const HieraCommunicator *comm = hiera_catalog_peek_communicator(trace->catalog, collective->comm);
    if (!comm->declared || hiera_ranks_count(comm->ranks) != collective->n)
        return;
    for (guint32 i = 0; i < collective->n; i++) {
        guint32 rank = trace->processors[hiera_trace_find_processor(trace, members[i])].rank;
        const HieraNeighbors *neighbors = hiera_catalog_peek_neighbors(trace->catalog, comm->index, rank);
        for (gint64 j = 0; neighbors && j < hiera_ranks_count(neighbors->out); j++) {
            gint32 to = hiera_ranks_at(neighbors->out, j);
            if (to >= 0 && (guint32)to < collective->n && (guint32)to != i)
                add_row_edge(edges, HIERA_EDGE_COLLECTIVE, members[i], members[to]);
        }
    }
}

static void add_collective(Edges *edges, const HieraCollective *collective, const guint32 *members)
{
    switch (collective->kind) {
    case HIERA_KIND_ONE_TO_ALL:
    case HIERA_KIND_ALL_TO_ONE:
        add_rooted(edges, collective, members);
        break;
    case HIERA_KIND_PREFIX:
        for (guint32 i = 1; i < collective->n; i++)
            add_row_edge(edges, HIERA_EDGE_COLLECTIVE, members[i - 1], members[i]);
        break;
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_GROUP:
        add_all_to_all(edges, collective, members);
        break;
    case HIERA_KIND_NEIGHBOR:
        add_neighbors(edges, collective, members);
        break;
    default: /* nobody has to wait for another */
        break;
    }
}

static void add_collectives(Edges *edges)
{
    const HieraMatch *match = edges->graph->match;
    for (guint i = 0; i < match->collectives->len; i++) {
        const HieraCollective *collective = &g_array_index(match->collectives, HieraCollective, i);
        add_collective(edges, collective, &g_array_index(match->members, guint32, collective->first));
    }
}

/* --- building --- */

static gboolean create(HieraGraph *graph, const Edges *edges, GError **error)
{
    igraph_vector_int_t ends;
    igraph_error_handler_t *before = igraph_set_error_handler(igraph_error_handler_ignore);
    igraph_vector_int_view(&ends, (const igraph_integer_t *)(void *)edges->ends->data, edges->ends->len);
    igraph_error_t failed = igraph_create(&graph->igraph, &ends, graph->hubs + edges->hubs, IGRAPH_DIRECTED);
    igraph_set_error_handler(before);
    if (failed)
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_MEMORY, "the graph cannot be built: %s",
                    igraph_strerror(failed));
    return !failed;
}

HieraGraph *hiera_graph_build(const HieraTrace *trace, GError **error)
{
    HieraGraph *graph = g_new0(HieraGraph, 1);
    graph->trace = trace;
    graph->match = hiera_match_build(trace);
    graph->hubs = (igraph_integer_t)trace->n_operations + trace->n_processors;
    Edges edges = {graph, g_array_new(FALSE, FALSE, sizeof(igraph_integer_t)), g_byte_array_new(), 0};
    add_trees(&edges);
    add_messages(&edges);
    add_pairs(&edges, HIERA_EDGE_REQUEST, graph->match->requests);
    add_collectives(&edges);
    add_pairs(&edges, HIERA_EDGE_TRANSFER, graph->match->transfers);
    add_pairs(&edges, HIERA_EDGE_COMPLETION, graph->match->completions);
    add_pairs(&edges, HIERA_EDGE_EPOCH, graph->match->epochs);
    gboolean good = create(graph, &edges, error);
    g_array_unref(edges.ends);
    graph->kinds = g_byte_array_free(edges.kinds, FALSE);
    if (!good) {
        hiera_match_free(graph->match);
        g_free(graph->kinds);
        g_clear_pointer(&graph, g_free);
    }
    return graph;
}

void hiera_graph_free(HieraGraph *graph)
{
    if (!graph)
        return;
    igraph_destroy(&graph->igraph);
    hiera_match_free(graph->match);
    g_free(graph->kinds);
    g_free(graph);
}

/* --- questions --- */

const igraph_t *hiera_graph_peek_igraph(const HieraGraph *graph)
{
    return &graph->igraph;
}

const HieraTrace *hiera_graph_peek_trace(const HieraGraph *graph)
{
    return graph->trace;
}

HieraEdge hiera_graph_edge_kind(const HieraGraph *graph, igraph_integer_t edge)
{
    return (HieraEdge)(graph->kinds[edge] & ~AMBIGUOUS);
}

gboolean hiera_graph_edge_ambiguous(const HieraGraph *graph, igraph_integer_t edge)
{
    return (graph->kinds[edge] & AMBIGUOUS) != 0;
}

HieraReason hiera_graph_reason(const HieraGraph *graph, guint32 row)
{
    return (HieraReason)graph->match->reason[row];
}

/* Rows at the other end of the message edges of a row. */
static void find_message_ends(const HieraGraph *graph, guint32 row, igraph_neimode_t mode, GArray *rows)
{
    igraph_vector_int_t edges;
    igraph_integer_t vertex = hiera_graph_operation_vertex(graph, row);
    igraph_error_handler_t *before = igraph_set_error_handler(igraph_error_handler_ignore);
    if (igraph_vector_int_init(&edges, 0) == IGRAPH_SUCCESS) {
        if (igraph_incident(&graph->igraph, &edges, vertex, mode) != IGRAPH_SUCCESS)
            igraph_vector_int_clear(&edges);
        for (igraph_integer_t i = 0; i < igraph_vector_int_size(&edges); i++) {
            igraph_integer_t edge = VECTOR(edges)[i];
            guint32 other = hiera_graph_vertex_row(graph, IGRAPH_OTHER(&graph->igraph, edge, vertex));
            if (hiera_graph_edge_kind(graph, edge) == HIERA_EDGE_MESSAGE)
                g_array_append_val(rows, other);
        }
        igraph_vector_int_destroy(&edges);
    }
    igraph_set_error_handler(before);
}

void hiera_graph_find_sources(const HieraGraph *graph, guint32 row, GArray *rows)
{
    find_message_ends(graph, row, IGRAPH_IN, rows);
}

void hiera_graph_find_targets(const HieraGraph *graph, guint32 row, GArray *rows)
{
    find_message_ends(graph, row, IGRAPH_OUT, rows);
}

guint32 hiera_graph_collective(const HieraGraph *graph, guint32 row)
{
    return graph->match->collective[row];
}

guint32 hiera_graph_collective_root(const HieraGraph *graph, guint32 collective)
{
    return g_array_index(graph->match->collectives, HieraCollective, collective).root;
}

const guint32 *hiera_graph_peek_members(const HieraGraph *graph, guint32 collective, guint *n_members)
{
    const HieraCollective *of = &g_array_index(graph->match->collectives, HieraCollective, collective);
    *n_members = of->n;
    return &g_array_index(graph->match->members, guint32, of->first);
}
