/* A directed graph of blocks, its dominators, and its loops. It knows no machine code, so tests can make graphs by
 * hand. */
#pragma once

#include <glib.h>

#define HIERA_NO_NODE G_MAXUINT

typedef struct {
    guint from, to;
} HieraFlowEdge;

/* Neighbours of node i are nodes[first[i]] … nodes[first[i + 1] - 1]. */
typedef struct {
    guint *first, *nodes;
} HieraNeighbours;

/* A graph that is entered at node 0. */
typedef struct {
    guint n_nodes;
    HieraNeighbours next, before;
    guint *order; /* n_reached nodes in reverse postorder, beginning with node 0 */
    guint *place; /* index of each node in `order`, by node; HIERA_NO_NODE if node 0 does not reach it */
    guint n_reached;
    guint *dominator; /* immediate dominator of each node; HIERA_NO_NODE of node 0 and of nodes that are not reached */
} HieraFlowGraph;

/* Make a graph and find its dominators. Edges may occur twice; those between nodes out of range must not occur.
 *
 * Takes O(edges) memory and no recursion. Source: Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm" (2001).
 * @return the graph, to be freed with hiera_flow_graph_free */
HieraFlowGraph *hiera_flow_graph_new(guint n_nodes, const HieraFlowEdge *edges, guint n_edges);
void hiera_flow_graph_free(HieraFlowGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraFlowGraph, hiera_flow_graph_free)

/* Whether every path from node 0 to `node` goes through `by`. A node dominates itself. False if node 0 does not reach
 * one of them. */
gboolean hiera_flow_graph_dominates(const HieraFlowGraph *graph, guint by, guint node);

/* A natural loop, or a region that is entered at several nodes and so is no natural loop (irreducible). */
typedef struct {
    gboolean irreducible;
    guint header;    /* entry of the loop; of an irreducible region: its first entry in reverse postorder */
    guint parent;    /* index of the smallest loop around this one, HIERA_NO_NODE if there is none */
    guint depth;     /* nesting depth; 1: outermost */
    GArray *nodes;   /* guint, in reverse postorder; includes the nodes of inner loops */
    GArray *latches; /* guint: nodes with an edge back to the header; empty for an irreducible region */
    GArray *entries; /* guint: nodes of the loop with an edge from outside, the header first */
    GArray *exits;   /* HieraFlowEdge: edges from the loop to nodes outside */
} HieraLoop;

/* Find all loops. All edges back to one header are one loop. The loops inside a loop come right behind it; loops of the
 * same parent are sorted by the place of their headers in reverse postorder.
 *
 * @return HieraLoop *, to be freed with g_ptr_array_unref */
GPtrArray *hiera_loops_find(const HieraFlowGraph *graph);
