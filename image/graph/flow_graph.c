/* Graphs of blocks and their dominators. See flow_graph.h. */
#include "flow_graph.h"

static HieraNeighbours gather(guint n_nodes, const HieraFlowEdge *edges, guint n_edges, gboolean backwards)
{
    HieraNeighbours found = {g_new0(guint, n_nodes + 1), g_new(guint, n_edges)};
    for (guint i = 0; i < n_edges; i++)
        found.first[(backwards ? edges[i].to : edges[i].from) + 1]++;
    for (guint i = 0; i < n_nodes; i++)
        found.first[i + 1] += found.first[i];
    g_autofree guint *at = g_memdup2(found.first, sizeof(guint) * (n_nodes + 1));
    for (guint i = 0; i < n_edges; i++) {
        guint node = backwards ? edges[i].to : edges[i].from;
        found.nodes[at[node]++] = backwards ? edges[i].from : edges[i].to;
    }
    return found;
}

/* Order the nodes by a depth-first walk from node 0, with a stack in memory instead of recursion. */
static void find_order(HieraFlowGraph *graph)
{
    g_autofree guint *stack = g_new(guint, graph->n_nodes), *next = g_new(guint, graph->n_nodes);
    guint depth = 0, end = graph->n_nodes;
    for (guint i = 0; i < graph->n_nodes; i++)
        graph->place[i] = HIERA_NO_NODE;
    if (graph->n_nodes == 0)
        return;
    stack[depth++] = 0;
    next[0] = graph->next.first[0];
    graph->place[0] = 0;
    while (depth > 0) {
        guint node = stack[depth - 1];
        if (next[node] == graph->next.first[node + 1]) {
            graph->order[--end] = node;
            depth--;
            continue;
        }
        guint to = graph->next.nodes[next[node]++];
        if (graph->place[to] != HIERA_NO_NODE)
            continue;
        graph->place[to] = 0;
        next[to] = graph->next.first[to];
        stack[depth++] = to;
    }
    graph->n_reached = graph->n_nodes - end;
    memmove(graph->order, graph->order + end, sizeof(guint) * graph->n_reached);
    for (guint i = 0; i < graph->n_reached; i++)
        graph->place[graph->order[i]] = i;
}

/* Find the common dominator of two nodes: go up from both until they meet. Nodes are given by their places in the
 * order, where a dominator comes first. */
static guint meet(const guint *dominators, guint a, guint b)
{
    while (a != b) {
        while (a > b)
            a = dominators[a];
        while (b > a)
            b = dominators[b];
    }
    return a;
}

/* Compute the dominator of the node at position `place` of `order` from the node's predecessors. */
static guint meet_before(const HieraFlowGraph *graph, const guint *dominators, guint place)
{
    guint node = graph->order[place], found = HIERA_NO_NODE;
    for (guint i = graph->before.first[node]; i < graph->before.first[node + 1]; i++) {
        guint from = graph->place[graph->before.nodes[i]];
        if (from == HIERA_NO_NODE || dominators[from] == HIERA_NO_NODE)
            continue;
        found = found == HIERA_NO_NODE ? from : meet(dominators, found, from);
    }
    return found;
}

static void find_dominators(HieraFlowGraph *graph)
{
    g_autofree guint *dominators = g_new(guint, graph->n_nodes + 1);
    for (guint i = 0; i < graph->n_nodes; i++)
        dominators[i] = graph->dominator[i] = HIERA_NO_NODE;
    dominators[0] = 0;
    for (gboolean changed = TRUE; changed;) {
        changed = FALSE;
        for (guint place = 1; place < graph->n_reached; place++) {
            guint found = meet_before(graph, dominators, place);
            changed |= dominators[place] != found;
            dominators[place] = found;
        }
    }
    for (guint place = 1; place < graph->n_reached; place++)
        graph->dominator[graph->order[place]] = graph->order[dominators[place]];
}

HieraFlowGraph *hiera_flow_graph_new(guint n_nodes, const HieraFlowEdge *edges, guint n_edges)
{
    HieraFlowGraph *graph = g_new0(HieraFlowGraph, 1);
    graph->n_nodes = n_nodes;
    graph->next = gather(n_nodes, edges, n_edges, FALSE);
    graph->before = gather(n_nodes, edges, n_edges, TRUE);
    graph->order = g_new(guint, n_nodes);
    graph->place = g_new(guint, n_nodes);
    graph->dominator = g_new(guint, n_nodes);
    find_order(graph);
    find_dominators(graph);
    return graph;
}

void hiera_flow_graph_free(HieraFlowGraph *graph)
{
    if (!graph)
        return;
    g_free(graph->next.first);
    g_free(graph->next.nodes);
    g_free(graph->before.first);
    g_free(graph->before.nodes);
    g_free(graph->order);
    g_free(graph->place);
    g_free(graph->dominator);
    g_free(graph);
}

gboolean hiera_flow_graph_dominates(const HieraFlowGraph *graph, guint by, guint node)
{
    if (graph->place[by] == HIERA_NO_NODE || graph->place[node] == HIERA_NO_NODE)
        return FALSE;
    while (graph->place[node] > graph->place[by])
        node = graph->dominator[node];
    return node == by;
}
