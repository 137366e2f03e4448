/* The fields of HieraGraph, for the files that build, check and write it; and reading traces for a graph. */
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
    igraph_integer_t hubs; /* number of the first vertex of a collective; all later ones are of collectives, too */
    struct {
        HieraMatch *match; /* match that hiera_graph_build() has made; NULL: the caller gave one */
        HieraTrace *trace;
        HieraCatalog *catalog;
        HieraFindings *findings;
    } owned; /* what is freed with the graph; the last three are set by hiera_graph_load(), else NULL */
};

/* Read traces into columns. Parameters and errors are those of hiera_graph_load(). @return the trace, to be freed */
HieraTrace *hiera_graph_read_trace(const char *const *paths, const HieraLoadOptions *options, HieraCatalog *catalog,
                                   HieraFindings *findings, GError **error);
