/* The fields of HieraGraph, for the files that build, check and write it. */
#pragma once

#include "hiera_graph.h"
#include "matching/match.h"
#include "message_ends.h"

struct HieraGraph {
    const HieraTrace *trace;
    const HieraMatch *match;
    igraph_t igraph;
    HieraMessageEnds ends;
    guint8 *kinds;         /* HieraEdge and HIERA_EDGE_IS_AMBIGUOUS, by edge */
    igraph_integer_t hubs; /* the first vertex of a collective; all following vertices are collectives, too */
    struct {
        HieraMatch *match; /* the match, unless the graph was built with one */
        HieraTrace *trace;
        HieraCatalog *catalog;
        HieraFindings *findings;
    } owned; /* the other fields are set by hiera_graph_load; else NULL */
};
