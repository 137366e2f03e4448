/* The edges of the graph: of the call tree (parent → child, before → after), and between matched operations. */
#pragma once

#include "graph_private.h"

/* Bit in `kinds`, beside the HieraEdge: the message of this edge may be matched with a wrong partner. */
#define HIERA_EDGE_IS_AMBIGUOUS 0x80

typedef struct {
    const HieraGraph *graph;
    gsize n, room;           /* number of edges so far; number of edges for which the arrays have memory */
    igraph_integer_t *ends;  /* vertices of edge i: [2 * i] from, [2 * i + 1] to */
    guint8 *kinds;           /* HieraEdge and HIERA_EDGE_IS_AMBIGUOUS, by edge */
    igraph_integer_t n_hubs; /* number of vertices of collectives so far */
    GThread *thread;         /* thread that adds the edges of the call tree; NULL: none runs */
} HieraEdges;

/* Start a thread that adds the edges of the tree. They do not depend on matching, so it can run at the same time.
 * hiera_edges_finish() must follow. */
void hiera_edges_begin(HieraEdges *edges, const HieraGraph *graph);

/* Wait for the thread, and add the edges of matched operations; the graph must have its match. The arrays are to be
 * freed with hiera_edges_clear, except those that the caller takes.
 * @return  false with HIERA_GRAPH_ERROR_MEMORY if there is no room for the edges */
gboolean hiera_edges_finish(HieraEdges *edges, GError **error);
void hiera_edges_clear(HieraEdges *edges);
