/* Writes the graph as GraphML. igraph could do so, but needs all attributes in its own table first, as doubles and
 * strings: a copy of all values in memory. */
#include "graph/graph_private.h"
#include "graphml_words.h"
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

void hiera_graphml_head(FILE *stream)
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
    g_auto(GStrv) lines = g_strsplit(text, "\r", -1);
    fprintf(stream, "<data key=\"%s\">", key);
    for (guint i = 0; lines[i]; i++) {
        g_autofree char *escaped = g_markup_escape_text(lines[i], -1);
        fprintf(stream, "%s%s", i ? "&#13;" : "", escaped); /* readers convert a bare carriage return to a line feed */
    }
    fputs("</data>", stream);
}

static void write_time(FILE *stream, const char *key, gint64 ns)
{
    char seconds[HIERA_NUMBER_BYTES];
    hiera_seconds_format(seconds, ns);
    fprintf(stream, "<data key=\"%s\">%s</data>", key, seconds);
}

/* Write the begin of a vertex. @param number  the printed one: number of the vertex + 1 */
static void write_node(FILE *stream, guint64 number, const char *kind)
{
    fprintf(stream, "<node id=\"n%" G_GUINT64_FORMAT "\"><data key=\"kind\">%s</data>", number, kind);
}

static void write_processor(FILE *stream, const HieraProcessor *processor, guint64 number)
{
    write_node(stream, number, "processor");
    fprintf(stream, "<data key=\"processor\">%u</data>", processor->rank);
    write_time(stream, "start", processor->init_ns);
    write_time(stream, "finish", processor->finalize_ns);
    fputs("</node>\n", stream);
}

static void write_operation(FILE *stream, const HieraTrace *trace, guint32 processor, guint32 row, guint64 number)
{
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    write_node(stream, number, "operation");
    fprintf(stream, "<data key=\"processor\">%u</data>", trace->processors[processor].rank);
    write_text(stream, "level", site->level);
    write_text(stream, "operation", site->operation);
    write_text(stream, "file", site->file);
    fprintf(stream, "<data key=\"line\">%u</data>", site->line);
    write_time(stream, "start", trace->start_ns[row]);
    write_time(stream, "finish", trace->finish_ns[row]);
    fputs("</node>\n", stream);
}

/* Write a processor and its operations. @param number  of the processor's vertex; those of its operations follow */
void hiera_graphml_vertices(FILE *stream, const HieraTrace *trace, guint32 index, guint64 number)
{
    const HieraProcessor *processor = &trace->processors[index];
    write_processor(stream, processor, number);
    for (guint64 i = 0; i < processor->n_operations; i++)
        write_operation(stream, trace, index, (guint32)(processor->first + i), number + 1 + i);
}

void hiera_graphml_collective(FILE *stream, guint64 number)
{
    write_node(stream, number, "collective");
    fputs("</node>\n", stream);
}

void hiera_graphml_edge(FILE *stream, HieraEdge kind, guint64 from, guint64 to, gboolean ambiguous)
{
    fprintf(stream,
            "<edge source=\"n%" G_GUINT64_FORMAT "\" target=\"n%" G_GUINT64_FORMAT
            "\"><data key=\"edge\">%s</data>%s</edge>\n",
            from, to, hiera_edge_name(kind), ambiguous ? "<data key=\"ambiguous\">true</data>" : "");
}

void hiera_graphml_end(FILE *stream)
{
    fputs("</graph>\n</graphml>\n", stream);
}

/* --- writing a HieraGraph, with igraph's vertex numbers --- */

static void write_all_vertices(FILE *stream, const HieraGraph *graph)
{
    for (guint32 i = 0; i < graph->trace->n_processors; i++)
        hiera_graphml_vertices(stream, graph->trace, i, (guint64)hiera_graph_processor_vertex(graph, i) + 1);
    for (igraph_integer_t hub = graph->hubs; hub < igraph_vcount(&graph->igraph); hub++)
        hiera_graphml_collective(stream, (guint64)hub + 1);
}

static void write_all_edges(FILE *stream, const HieraGraph *graph)
{
    for (igraph_integer_t edge = 0; edge < igraph_ecount(&graph->igraph); edge++)
        hiera_graphml_edge(stream, hiera_graph_edge_kind(graph, edge), (guint64)IGRAPH_FROM(&graph->igraph, edge) + 1,
                           (guint64)IGRAPH_TO(&graph->igraph, edge) + 1, hiera_graph_edge_ambiguous(graph, edge));
}

gboolean hiera_graph_write_graphml(const HieraGraph *graph, FILE *stream, GError **error)
{
    hiera_graphml_head(stream);
    write_all_vertices(stream, graph);
    write_all_edges(stream, graph);
    hiera_graphml_end(stream);
    if (ferror(stream))
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, "the graph cannot be written: %s",
                    g_strerror(errno));
    return !ferror(stream);
}
