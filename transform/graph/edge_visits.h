/* Visits edges between operations, given as rows: for the graph, and for code that writes edges without a graph. */
#pragma once

#include "hiera_graph.h"

/* Callback for an edge of kind CHILD or NEXT between two rows. @param from  HIERA_NONE: the processor's vertex */
typedef void (*HieraTreeVisit)(HieraEdge kind, guint32 from, guint32 to, gpointer user);
/* Visit the edges CHILD and NEXT of a processor, operation after operation.
 *
 * @param last  guint32: state that the function keeps between processors; empty at first */
void hiera_edges_visit_tree(const HieraTrace *trace, guint32 processor, GArray *last, HieraTreeVisit visit,
                            gpointer user);

/* Whether a collective has a vertex, through which its edges go: all members depend on all, and there are more than
 * two. */
gboolean hiera_collective_has_vertex(const HieraCollective *collective);
/* Callback for an edge of a collective between two rows. HIERA_NONE: the vertex of the collective. */
typedef void (*HieraEdgeVisit)(guint32 from, guint32 to, gpointer user);
void hiera_edges_visit_collective(const HieraMatch *match, guint32 collective, HieraEdgeVisit visit, gpointer user);
