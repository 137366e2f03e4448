/* The calls of all processes that depend on others or on which others depend (nodes), in the process that leads. */
#ifndef HIERA_SHARED_GRAPH_H
#define HIERA_SHARED_GRAPH_H

#include "dependences.h"
#include "hiera_measure.h"

/* An edge that closes a circle: which one of a node, and which node of its processor it is, from 0. */
typedef struct {
    guint32 processor, node, edge;
} HieraCircle;

typedef struct {
    guint64 *nodes; /* a bit by call of this process: it is a node */
    HieraDependences
        all; /* of the process that leads: nodes as calls, without rows. Starts are those that were recorded; an end is
                as long before the next start as a rank needs from one to the next on an ideal network */
    GArray *circles; /* HieraCircle, of all processes */
} HieraSharedGraph;

/* All processes call it. @param of  what this process knows, of hiera_dependences_find_part(); must outlive the graph
 */
void hiera_shared_graph_gather(HieraSharedGraph *graph, const HieraDependences *of, const HieraScope *scope);
void hiera_shared_graph_clear(HieraSharedGraph *graph);

static inline gboolean hiera_shared_graph_is_node(const HieraSharedGraph *graph, guint32 call)
{
    return (gboolean)(graph->nodes[call / 64] >> call % 64 & 1);
}

/* Take the edges of own calls that close circles out of what this process knows. */
void hiera_shared_graph_cut_circles(const HieraSharedGraph *graph, const HieraDependences *of, const HieraScope *scope);

#endif
