/* The edges of the graph: those of the tree of calls, and those of matched operations. */
#pragma once

#include "graph_private.h"

#define HIERA_EDGE_IS_AMBIGUOUS 0x80 /* flag in `kinds` */

typedef struct {
    const HieraGraph *graph;
    gsize n, room;           /* edges counted so far; edges for which the arrays have room */
    igraph_integer_t *ends;  /* two per edge: from, to */
    guint8 *kinds;           /* HieraEdge and HIERA_EDGE_IS_AMBIGUOUS, by edge */
    igraph_integer_t n_hubs; /* number of vertices of collectives */
    GThread *thread;         /* thread that adds the edges of the tree; NULL if none runs */
} HieraEdges;

/* Start a thread that adds the edges of the tree. They do not depend on matching, so it can run at the same time.
 * hiera_edges_finish() must follow. */
void hiera_edges_begin(HieraEdges *edges, const HieraGraph *graph);

/* Wait for the thread, and add the edges of matched operations; the graph must have its match. The arrays are to be
 * freed with hiera_edges_clear, except those that the caller takes.
 * @return  false with HIERA_GRAPH_ERROR_MEMORY if there is no room for the edges */
gboolean hiera_edges_finish(HieraEdges *edges, GError **error);
void hiera_edges_clear(HieraEdges *edges);
