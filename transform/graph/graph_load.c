/* Makes a graph of trace files in one call. */
#include "graph_private.h"

/* Set an error with the text of the first finding of severity ERROR. */
static void fail(const HieraFindings *findings, GError **error)
{
    for (guint i = 0; i < hiera_findings_count(findings); i++) {
        const HieraFinding *finding = hiera_findings_peek(findings, i);
        if (hiera_finding_severity(finding->code) != HIERA_SEVERITY_ERROR)
            continue;
        g_autofree char *line = finding->line ? g_strdup_printf(":%u", finding->line) : g_strdup("");
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "%s%s: %s", finding->file, line,
                    finding->message);
        return;
    }
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "no trace was named");
}

HieraTrace *hiera_graph_read_trace(const char *const *paths, const HieraLoadOptions *options, HieraCatalog *catalog,
                                   HieraFindings *findings, GError **error)
{
    g_autoptr(GPtrArray) files = hiera_trace_paths_expand(paths, findings);
    g_autoptr(HieraBuilder) builder = hiera_builder_new(catalog, options && options->keep_lines);
    HieraSink sink = hiera_builder_sink(builder);
    g_autoptr(GArray) processors = hiera_load(files, options, &sink, 1, catalog, findings);
    if (processors->len > 0)
        return hiera_builder_take_trace(builder, processors, error);
    fail(findings, error);
    return NULL;
}

HieraGraph *hiera_graph_load(const char *const *paths, const HieraLoadOptions *options, GError **error)
{
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new();
    g_autoptr(HieraTrace) trace = hiera_graph_read_trace(paths, options, catalog, findings, error);
    HieraGraph *graph = trace ? hiera_graph_build(trace, NULL, error) : NULL;
    if (!graph)
        return NULL;
    graph->owned.trace = g_steal_pointer(&trace);
    graph->owned.catalog = g_steal_pointer(&catalog);
    graph->owned.findings = g_steal_pointer(&findings);
    return graph;
}
