/* A measure of somebody else, with the installed library alone: how many edges of each kind the graph has. */
#include <hiera_graph.h>

int main(int argc, char **argv)
{
    (void)argc;
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new();
    g_autoptr(HieraBuilder) builder = hiera_builder_new(catalog, FALSE);
    g_autoptr(GPtrArray) paths = hiera_trace_paths_expand((const char *const *)argv + 1, findings);
    HieraSink sink = hiera_builder_sink(builder);
    g_autoptr(GArray) processors = hiera_load(paths, NULL, &sink, 1, catalog, findings);
    g_autoptr(HieraTrace) trace = hiera_builder_take_trace(builder, processors, &error);
    g_autoptr(HieraGraph) graph = trace ? hiera_graph_build(trace, &error) : NULL;
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
