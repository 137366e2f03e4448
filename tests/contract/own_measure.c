/* A measure written by a user, with only the installed library: the number of edges of each kind in the graph. */
#include <hiera_graph.h>

int main(int argc, char **argv)
{
    (void)argc;
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraGraph) graph = hiera_graph_load((const char *const *)argv + 1, NULL, &error);
    if (!graph) {
        g_printerr("%s\n", error->message);
        return 1;
    }
    guint counts[HIERA_N_EDGES] = {0};
    for (igraph_integer_t edge = 0; edge < igraph_ecount(hiera_graph_peek_igraph(graph)); edge++)
        counts[hiera_graph_edge_kind(graph, edge)]++;
    for (guint kind = 0; kind < G_N_ELEMENTS(counts); kind++)
        g_print("%s %u\n", hiera_edge_name((HieraEdge)kind), counts[kind]);
    return 0;
}
