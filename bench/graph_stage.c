/* Cost of Hiera's graph without reading: matching, edges, igraph, messages by their ends; or of matching alone.
 *
 * Usage: graph_stage graph|match TRACE…. It reports wall time, and the processor time of all threads. */
#include "bench.h"
#include "hiera_graph.h"

#include <string.h>

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
    gboolean whole = argc > 1 && strcmp(argv[1], "graph") == 0;
    if (argc < 3)
        return 2;
    HieraCatalog *catalog = hiera_catalog_new();
    HieraFindings *findings = hiera_findings_new();
    HieraTrace *trace = read_traces(argv + 2, (guint)argc - 2, catalog, findings);
    if (!trace)
        return 1;
    int64_t begin = bench_now_ns(), processor_begin = bench_processor_ns();
    HieraGraph *graph = whole ? hiera_graph_build(trace, NULL, NULL) : NULL;
    HieraMatch *match = whole ? NULL : hiera_match_build(trace);
    if (!graph && !match)
        return 1;
    BENCH_REPORT("graph=%lld processor=%lld\n", (long long)(bench_now_ns() - begin),
                 (long long)(bench_processor_ns() - processor_begin));
    hiera_graph_free(graph);
    hiera_match_free(match);
    hiera_trace_free(trace);
    hiera_findings_free(findings);
    hiera_catalog_free(catalog);
    return 0;
}
