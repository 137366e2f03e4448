/* The edges of the graph, gathered from the tree and the matches. */
#ifndef HIERA_EDGES_H
#define HIERA_EDGES_H

#include "graph_private.h"

#define HIERA_EDGE_IS_AMBIGUOUS 0x80 /* beside the kind of an edge */

typedef struct {
    const HieraGraph *graph;
    gsize n, room;           /* so many there are, and so many can be stored */
    igraph_integer_t *ends;  /* two per edge: from, to */
    guint8 *kinds;           /* HieraEdge, by edge */
    igraph_integer_t n_hubs; /* vertices of collectives */
    GThread *thread;         /* adds the tree; NULL once it has */
} HieraEdges;

/* Begin with the edges of the tree, which the trace alone tells: a thread adds them while others match. */
void hiera_edges_begin(HieraEdges *edges, const HieraGraph *graph);

/* The graph has its matches: add what they connect. False without room for all: HIERA_GRAPH_ERROR_MEMORY. Both arrays
 * are to be freed by hiera_edges_clear, but for what the caller takes. */
gboolean hiera_edges_finish(HieraEdges *edges, GError **error);
void hiera_edges_clear(HieraEdges *edges);

#endif
