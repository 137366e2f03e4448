/** The graph: all operations of all processors and what connects them.
 *
 * Vertices, numbered from 0 as in igraph: rank after rank the processor's vertex, then its operations in document
 * order; behind them one vertex for each collective that more than two members joined and in which every member depends
 * on every other, so that P members cost 2 P edges. Printed vertex numbers are greater by one, as in the paper.
 *
 * `child` and `next` edges lead to greater numbers only; with `request` edges, which follow time, they have no cycle.
 * `message` and `collective` edges say that the end of the target depends on the start of the origin: an exchange
 * between two send-receives is a cycle between the two vertices, and none in time. A walk that needs a partial order
 * splits each vertex into start and end.
 *
 * This header includes all that an analysis needs. */
#ifndef HIERA_GRAPH_H
#define HIERA_GRAPH_H

#include "hiera_load.h"
#include "hiera_match.h"
#include "hiera_measure.h"
#include "hiera_trace.h"
#include <igraph/igraph.h>

/** Kinds of edges: X(identifier, name in GraphML). */
#define HIERA_EDGES(X)                                                                                                 \
    X(CHILD, "child")           /* processor or operation → operation called by it */                                \
    X(NEXT, "next")             /* operation → the next with the same parent in the same thread */                   \
    X(MESSAGE, "message")       /* operation that sent → operation that received */                                  \
    X(COLLECTIVE, "collective") /* member → member that depends on it, or member ↔ vertex of the collective */     \
    X(REQUEST, "request")       /* operation that started a request → operation that completed it */                 \
    X(TRANSFER, "transfer")     /* put → call that ends the target's epoch; call that begins that epoch → get */   \
    X(COMPLETION, "completion") /* put or get → operation that completes it at its origin */                         \
    X(EPOCH, "epoch")           /* MPI_Win_post → MPI_Win_start; MPI_Win_complete → MPI_Win_wait */
typedef enum {
#define X(identifier, name) HIERA_EDGE_##identifier,
    HIERA_EDGES(X)
#undef X
        HIERA_N_EDGES
} HieraEdge;

/** Peak memory of building a graph, beside the trace. For a vertex: two indices of igraph's, a place for
 * its sorting, the reason and the collective. For an edge: both ends, twice, two indices, a place for the sorting, and
 * the kind. For a message 16 bytes more, for other links (requests, collectives, windows) up to 16 per edge: these
 * arrays double when they are full; memory that nothing was written to yet is not counted. A ping-pong, with 2.5 edges
 * per operation, takes 182 bytes per operation, and 61 for its columns. */
#define HIERA_GRAPH_PEAK_BYTES(n_vertices, n_edges, n_messages, n_others)                                              \
    ((gsize)(n_vertices)*29 + (gsize)(n_edges)*57 + (gsize)(n_messages)*16 + (gsize)(n_others)*16)

/** Read traces and build their graph, in one call. The graph owns its trace
 * (hiera_graph_peek_trace) and the findings about the files (hiera_graph_peek_findings). Findings are no error: a
 * program that accepts only complete traces calls hiera_findings_partial and hiera_findings_unreadable.
 *
 * @param paths    NULL-terminated: trace files, a hieraCollector.xml, or a folder that holds one
 * @param options  how to read; NULL: one thread per core, no validation
 * @param error    HIERA_GRAPH_ERROR_READ if none of the traces could be read, HIERA_GRAPH_ERROR_MEMORY
 * @return the graph, to be freed by hiera_graph_free, or NULL */
HIERA_API HieraGraph *hiera_graph_load(const char *const *paths, const HieraLoadOptions *options, GError **error);

/** Build the graph of a trace. O(n log n).
 *
 * @param trace  must outlive the graph
 * @param match  the partners of its operations, which must outlive the graph; NULL: the graph finds them itself, while
 *               it makes the edges of the tree
 * @param error  HIERA_GRAPH_ERROR_MEMORY
 * @return the graph, to be freed by hiera_graph_free, or NULL */
HIERA_API HieraGraph *hiera_graph_build(const HieraTrace *trace, const HieraMatch *match, GError **error);

/** Free a graph; if hiera_graph_load made it, also its trace, catalog and findings. NULL is allowed. */
HIERA_API void hiera_graph_free(HieraGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraGraph, hiera_graph_free)

/** The graph as igraph sees it, for igraph's own functions. Owned by the graph. */
HIERA_API const igraph_t *hiera_graph_peek_igraph(const HieraGraph *graph);

/** The trace that the graph was built from. Owned by the graph if hiera_graph_load made it. */
HIERA_API const HieraTrace *hiera_graph_peek_trace(const HieraGraph *graph);

/** Partners of the operations (hiera_match.h). Owned by the graph unless they were given to hiera_graph_build. */
HIERA_API const HieraMatch *hiera_graph_peek_match(const HieraGraph *graph);

/** Findings of hiera_graph_load; owned by the graph. NULL if hiera_graph_build made the graph. */
HIERA_API const HieraFindings *hiera_graph_peek_findings(const HieraGraph *graph);

/** Return the kind of an edge, given by igraph's edge number. */
HIERA_API HieraEdge hiera_graph_edge_kind(const HieraGraph *graph, igraph_integer_t edge);

/** Whether the pairing of a message is ambiguous: threads sent or received it side by side with others, or a rank did
 * not record all of its calls. */
HIERA_API gboolean hiera_graph_edge_ambiguous(const HieraGraph *graph, igraph_integer_t edge);

/** Return the name of a kind of edges, as in GraphML; a constant. */
HIERA_API const char *hiera_edge_name(HieraEdge kind);

/** Return the vertex of an operation, given by its row in the trace. */
HIERA_API igraph_integer_t hiera_graph_operation_vertex(const HieraGraph *graph, guint32 row);

/** Return the vertex of a processor, given by its index in the trace (not by its rank). */
HIERA_API igraph_integer_t hiera_graph_processor_vertex(const HieraGraph *graph, guint32 processor);

/** Return the row of the operation at a vertex; HIERA_NONE for vertices of processors and collectives. */
HIERA_API guint32 hiera_graph_vertex_row(const HieraGraph *graph, igraph_integer_t vertex);

/** Append the rows that sent the messages which an operation received. There is more than one only where one call
 * starts several persistent requests.
 *
 * @param rows  GArray of guint32 */
HIERA_API void hiera_graph_find_sources(const HieraGraph *graph, guint32 row, GArray *rows);

/** Append the rows of the operations that received the messages which operation `row` sent, as GArray of guint32. */
HIERA_API void hiera_graph_find_targets(const HieraGraph *graph, guint32 row, GArray *rows);

/** Called for each vertex that a walk of the graph visits; the walk ends when the callback returns false. */
typedef gboolean (*HieraVisit)(igraph_integer_t vertex, gpointer user);

/** The paper's walk by operations, processor after processor: each processor's vertex, then its operations in document
 * order.
 *
 * @param scope  which vertices are visited; NULL: all
 * @param visit  called with `user` for each vertex */
HIERA_API void hiera_walk_operations(const HieraGraph *graph, const HieraScope *scope, HieraVisit visit, gpointer user);

/** The paper's walk by partners: as hiera_walk_operations, and after each operation its partners, in the scope or not.
 * Partner of a send is the receive, of a receive the send; of a send-receive the source of what it received, then the
 * destination of what it sent (once if they are the same); of the root of a rooted collective all other members by
 * rank. Other operations have none. */
HIERA_API void hiera_walk_partners(const HieraGraph *graph, const HieraScope *scope, HieraVisit visit, gpointer user);

/** Called for each step of hiera_walk_match; the walk ends when the callback returns false.
 *
 * @param processor  index in the trace
 * @param row        row of one of its operations; HIERA_NONE: the processor itself */
typedef gboolean (*HieraVisitStep)(guint32 processor, guint32 row, gpointer user);

/** Like hiera_walk_partners, but without a graph. If several processes work together (`own` of the scope), each walks
 * through its own ranks. */
HIERA_API void hiera_walk_match(const HieraMatch *match, const HieraScope *scope, HieraVisitStep visit, gpointer user);

/** Write the graph as GraphML: vertices and edges with their attributes. Memory does not grow with the graph.
 *
 * @param error  HIERA_GRAPH_ERROR_OUTPUT
 * @return false if the stream could not be written */
HIERA_API gboolean hiera_graph_write_graphml(const HieraGraph *graph, FILE *stream, GError **error);

#endif
