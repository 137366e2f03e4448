/* Writes the graph as GraphML. igraph could do so, but needs all attributes in its own table first, as doubles and
 * strings: a copy of all values in memory. */
#include "base/output_file.h"
#include "exports.h"
#include "graph/graph_private.h"
#include "report/table.h"
#include <errno.h>
#include <string.h>

/* Attributes of vertices and edges: X(name, "node" or "edge", GraphML's type). */
#define ATTRIBUTES(X)                                                                                                  \
    X("kind", "node", "string")                                                                                        \
    X("processor", "node", "int")                                                                                      \
    X("level", "node", "string")                                                                                       \
    X("operation", "node", "string")                                                                                   \
    X("file", "node", "string")                                                                                        \
    X("line", "node", "int")                                                                                           \
    X("start", "node", "double")                                                                                       \
    X("finish", "node", "double")                                                                                      \
    X("edge", "edge", "string")                                                                                        \
    X("ambiguous", "edge", "boolean")

static void write_head(FILE *stream)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
          stream);
#define X(name, domain, type)                                                                                          \
    fputs("<key id=\"" name "\" for=\"" domain "\" attr.name=\"" name "\" attr.type=\"" type "\"/>\n", stream);
    ATTRIBUTES(X)
#undef X
    fputs("<graph id=\"trace\" edgedefault=\"directed\">\n", stream);
}

static void write_text(FILE *stream, const char *key, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    fprintf(stream, "<data key=\"%s\">%s</data>", key, escaped);
}

static void write_time(FILE *stream, const char *key, gint64 ns)
{
    char seconds[HIERA_NUMBER_BYTES];
    hiera_seconds_format(seconds, ns);
    fprintf(stream, "<data key=\"%s\">%s</data>", key, seconds);
}

static void write_node(FILE *stream, igraph_integer_t vertex, const char *kind)
{
    fprintf(stream, "<node id=\"n%" IGRAPH_PRId "\"><data key=\"kind\">%s</data>", vertex + 1, kind);
}

static void write_processor(FILE *stream, const HieraGraph *graph, guint32 index)
{
    const HieraProcessor *processor = &graph->trace->processors[index];
    write_node(stream, hiera_graph_processor_vertex(graph, index), "processor");
    fprintf(stream, "<data key=\"processor\">%u</data>", processor->rank);
    write_time(stream, "start", processor->init_ns);
    write_time(stream, "finish", processor->finalize_ns);
    fputs("</node>\n", stream);
}

static void write_operation(FILE *stream, const HieraGraph *graph, guint32 processor, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(graph->trace, row);
    write_node(stream, (igraph_integer_t)row + processor + 1, "operation");
    fprintf(stream, "<data key=\"processor\">%u</data>", graph->trace->processors[processor].rank);
    write_text(stream, "level", site->level);
    write_text(stream, "operation", site->operation);
    write_text(stream, "file", site->file);
    fprintf(stream, "<data key=\"line\">%u</data>", site->line);
    write_time(stream, "start", graph->trace->start_ns[row]);
    write_time(stream, "finish", graph->trace->finish_ns[row]);
    fputs("</node>\n", stream);
}

static void write_vertices(FILE *stream, const HieraGraph *graph)
{
    for (guint32 i = 0; i < graph->trace->n_processors; i++) {
        const HieraProcessor *processor = &graph->trace->processors[i];
        write_processor(stream, graph, i);
        for (guint32 row = processor->first; row < processor->first + processor->n_operations; row++)
            write_operation(stream, graph, i, row);
    }
    for (igraph_integer_t hub = graph->hubs; hub < igraph_vcount(&graph->igraph); hub++) {
        write_node(stream, hub, "collective");
        fputs("</node>\n", stream);
    }
}

static void write_edges(FILE *stream, const HieraGraph *graph)
{
    for (igraph_integer_t edge = 0; edge < igraph_ecount(&graph->igraph); edge++)
        fprintf(stream,
                "<edge source=\"n%" IGRAPH_PRId "\" target=\"n%" IGRAPH_PRId
                "\"><data key=\"edge\">%s</data>%s</edge>\n",
                IGRAPH_FROM(&graph->igraph, edge) + 1, IGRAPH_TO(&graph->igraph, edge) + 1,
                hiera_edge_name(hiera_graph_edge_kind(graph, edge)),
                hiera_graph_edge_ambiguous(graph, edge) ? "<data key=\"ambiguous\">true</data>" : "");
}

gboolean hiera_graph_write_graphml(const HieraGraph *graph, FILE *stream, GError **error)
{
    write_head(stream);
    write_vertices(stream, graph);
    write_edges(stream, graph);
    fputs("</graph>\n</graphml>\n", stream);
    if (ferror(stream))
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, "the graph cannot be written: %s",
                    g_strerror(errno));
    return !ferror(stream);
}

gboolean hiera_export_graphml(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    return hiera_output_file_open(&output, target, error) &&
           hiera_output_file_close(&output, hiera_graph_write_graphml(input->graph, output.stream, error), error);
}
