/* Visits the edges between operations, as rows: for the graph, and for code that writes edges without a graph. */
#pragma once

#include "hiera_graph.h"

/* Called with an edge CHILD or NEXT. @param from  HIERA_NONE: the processor */
typedef void (*HieraTreeVisit)(HieraEdge kind, guint32 from, guint32 to, gpointer user);
/* Visit the edges CHILD and NEXT of a processor, operation after operation.
 *
 * @param last  guint32: state that the function keeps between processors; empty at first */
void hiera_edges_visit_tree(const HieraTrace *trace, guint32 processor, GArray *last, HieraTreeVisit visit,
                            gpointer user);

/* Whether a collective has a vertex of its own. */
gboolean hiera_collective_has_vertex(const HieraCollective *collective);
/* Called with an edge of a collective. HIERA_NONE: the vertex of the collective. */
typedef void (*HieraEdgeVisit)(guint32 from, guint32 to, gpointer user);
void hiera_edges_visit_collective(const HieraMatch *match, guint32 collective, HieraEdgeVisit visit, gpointer user);
