/* Cost of Hiera's graph without reading: matching, edges, igraph, messages by their ends.
 *
 * Usage: graph_stage TRACE… */
#include "bench.h"
#include "hiera_graph.h"

static HieraTrace *read_traces(char **paths, guint n, HieraCatalog *catalog, HieraFindings *findings)
{
    g_autoptr(GPtrArray) files = g_ptr_array_new();
    HieraBuilder *builder = hiera_builder_new(catalog, FALSE);
    const HieraSink sink = hiera_builder_sink(builder);
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(files, paths[i]);
    g_autoptr(GArray) processors = hiera_load(files, NULL, &sink, 1, catalog, findings);
    HieraTrace *trace = hiera_builder_take_trace(builder, processors, NULL);
    hiera_builder_free(builder);
    return trace;
}

int main(int argc, char **argv)
{
    HieraCatalog *catalog = hiera_catalog_new();
    HieraFindings *findings = hiera_findings_new();
    HieraTrace *trace = read_traces(argv + 1, (guint)argc - 1, catalog, findings);
    int64_t begin = bench_now_ns();
    HieraGraph *graph = trace ? hiera_graph_build(trace, NULL, NULL) : NULL;
    if (!graph)
        return 1;
    BENCH_REPORT("graph=%lld\n", (long long)(bench_now_ns() - begin));
    hiera_graph_free(graph);
    hiera_trace_free(trace);
    hiera_findings_free(findings);
    hiera_catalog_free(catalog);
    return 0;
}
