/* The edges of the graph, gathered from the tree and the matches. */
#ifndef HIERA_EDGES_H
#define HIERA_EDGES_H

#include "graph.h"

#define HIERA_EDGE_IS_AMBIGUOUS 0x80 /* beside the kind of an edge */

typedef struct {
    const HieraGraph *graph;
    gsize n;
    igraph_integer_t *ends;  /* two per edge: from, to */
    guint8 *kinds;           /* HieraEdge, by edge */
    igraph_integer_t n_hubs; /* vertices of collectives */
} HieraEdges;

/* @param edges  gets both arrays, to be freed; NULL if there is no room for them: HIERA_GRAPH_ERROR_MEMORY */
gboolean hiera_edges_gather(const HieraGraph *graph, HieraEdges *edges, GError **error);

#endif
