/* The graph; see hiera_graph.h. All edges are added to igraph in one call. igraph keeps their order, so an edge's
 * number is the index of its kind. */
#include "edges.h"
#include "graph_private.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

static const char *const edge_names[] = {
#define X(identifier, name) name,
    HIERA_EDGES(X)
#undef X
};

const char *hiera_edge_name(HieraEdge kind)
{
    return edge_names[kind];
}

/* --- building a graph --- */

/* Create the igraph graph. igraph_create() would do the same, but searches all edges for the greatest vertex
 * first. */
static gboolean create(HieraGraph *graph, const HieraEdges *edges, GError **error)
{
    igraph_vector_int_t ends;
    igraph_error_handler_t *before = igraph_set_error_handler(igraph_error_handler_ignore);
    igraph_vector_int_view(&ends, edges->ends, (igraph_integer_t)(2 * edges->n));
    igraph_error_t failed = igraph_empty(&graph->igraph, graph->hubs + edges->n_hubs, IGRAPH_DIRECTED);
    if (!failed) {
        failed = igraph_add_edges(&graph->igraph, &ends, NULL);
        if (failed)
            igraph_destroy(&graph->igraph);
    }
    igraph_set_error_handler(before);
    if (failed)
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_MEMORY, "the graph cannot be built: %s",
                    igraph_strerror(failed));
    return !failed;
}

/* Match the operations, unless that is done, and add all edges. The array of edges is freed before the caller builds
 * the lists of messages, so that the peak of memory is inside igraph. */
static gboolean connect(HieraGraph *graph, GError **error)
{
    HieraEdges edges;
    hiera_edges_begin(&edges, graph);
    if (!graph->match)
        graph->match = graph->owned.match = hiera_match_build(graph->trace);
    gboolean good = hiera_edges_finish(&edges, error) && create(graph, &edges, error);
    if (good)
        graph->kinds = g_steal_pointer(&edges.kinds);
    hiera_edges_clear(&edges);
    return good;
}

/* Return free memory to the system: igraph takes several times what the trace takes. The allocator of glibc keeps what
 * the threads that read the trace have freed, although these threads have ended. */
static void give_back_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

HieraGraph *hiera_graph_build(const HieraTrace *trace, const HieraMatch *match, GError **error)
{
    HieraGraph *graph = g_new0(HieraGraph, 1);
    graph->trace = trace;
    graph->match = match;
    graph->hubs = (igraph_integer_t)trace->n_operations + trace->n_processors;
    give_back_memory();
    if (!connect(graph, error)) {
        hiera_match_free(graph->owned.match);
        g_free(graph);
        return NULL;
    }
    hiera_message_ends_init(&graph->ends, graph->match->messages, trace->n_operations);
    return graph;
}

void hiera_graph_free(HieraGraph *graph)
{
    if (!graph)
        return;
    igraph_destroy(&graph->igraph);
    hiera_message_ends_clear(&graph->ends);
    hiera_match_free(graph->owned.match);
    g_free(graph->kinds);
    hiera_trace_free(graph->owned.trace);
    hiera_catalog_free(graph->owned.catalog);
    hiera_findings_free(graph->owned.findings);
    g_free(graph);
}

/* --- reading the graph --- */

const igraph_t *hiera_graph_peek_igraph(const HieraGraph *graph)
{
    return &graph->igraph;
}

const HieraTrace *hiera_graph_peek_trace(const HieraGraph *graph)
{
    return graph->trace;
}

const HieraMatch *hiera_graph_peek_match(const HieraGraph *graph)
{
    return graph->match;
}

const HieraFindings *hiera_graph_peek_findings(const HieraGraph *graph)
{
    return graph->owned.findings;
}

HieraEdge hiera_graph_edge_kind(const HieraGraph *graph, igraph_integer_t edge)
{
    return (HieraEdge)(graph->kinds[edge] & ~HIERA_EDGE_IS_AMBIGUOUS);
}

gboolean hiera_graph_edge_ambiguous(const HieraGraph *graph, igraph_integer_t edge)
{
    return (graph->kinds[edge] & HIERA_EDGE_IS_AMBIGUOUS) != 0;
}

void hiera_graph_find_sources(const HieraGraph *graph, guint32 row, GArray *rows)
{
    hiera_message_ends_find_sources(&graph->ends, row, rows);
}

void hiera_graph_find_targets(const HieraGraph *graph, guint32 row, GArray *rows)
{
    hiera_message_ends_find_targets(&graph->ends, row, rows);
}
