/* The graph's inside, for the modules that walk, check and write it. */
#ifndef HIERA_GRAPH_PRIVATE_H
#define HIERA_GRAPH_PRIVATE_H

#include "hiera_graph.h"
#include "matching/match.h"
#include "message_ends.h"

struct HieraGraph {
    const HieraTrace *trace;
    HieraMatch *match;
    igraph_t igraph;
    HieraMessageEnds ends;
    guint8 *kinds;         /* HieraEdge, by edge, and whether it is ambiguous */
    igraph_integer_t hubs; /* first vertex of a collective */
};

#endif
