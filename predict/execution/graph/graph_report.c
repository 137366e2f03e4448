#include "graph_report.h"

#define HEX "0x%" G_GINT64_MODIFIER "x"

static const char *const names[] = {
#define X(identifier, name) name,
    HIERA_VERTICES(X)
#undef X
};

const char *hiera_vertex_describe(const HieraVertex *vertex)
{
    if (vertex->kind == HIERA_VERTEX_JUMP)
        return vertex->is_backward ? "jump backward" : "jump forward";
    if (vertex->kind == HIERA_VERTEX_BRANCH)
        return vertex->is_backward ? "branch backward" : "branch forward";
    return names[vertex->kind];
}

/* @param base  load address of the file that contains the vertex: addresses are written relative to it */
static void write_vertex(const HieraVertex *vertex, guint number, guint64 base, FILE *stream)
{
    static const char *const shapes[HIERA_N_VERTEX_KINDS] = {[HIERA_VERTEX_EXECUTION] = "box",
                                                             [HIERA_VERTEX_CALL] = "cds",
                                                             [HIERA_VERTEX_COMMUNICATION] = "parallelogram",
                                                             [HIERA_VERTEX_JUMP] = "plain",
                                                             [HIERA_VERTEX_BRANCH] = "diamond",
                                                             [HIERA_VERTEX_SWITCH] = "diamond",
                                                             [HIERA_VERTEX_RETURN] = "oval",
                                                             [HIERA_VERTEX_STOP] = "octagon"};
    char cycles[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(cycles, sizeof cycles, "%.1f", vertex->cycles);
    g_autofree char *escaped = g_strescape(vertex->name ? vertex->name : hiera_vertex_describe(vertex), NULL);
    fprintf(stream, "v%u [shape=%s,label=\"%s\\n" HEX "-" HEX "\\n%s cycles\"];\n", number, shapes[vertex->kind],
            escaped, vertex->begin - base, vertex->end - base, cycles);
}

static void write_level(const HieraExecution *execution, const HieraFunctionGraph *graph, guint loop, FILE *stream)
{
    for (guint i = graph->first; i < graph->first + graph->n; i++)
        if (hiera_execution_vertex(execution, i)->loop == loop && !hiera_execution_vertex(execution, i)->is_gone)
            write_vertex(hiera_execution_vertex(execution, i), i - graph->first, graph->object->base, stream);
    for (guint i = graph->first_loop; i < graph->first_loop + graph->n_loops; i++) {
        const HieraExecutionLoop *inner = hiera_execution_loop(execution, i);
        if (inner->parent != loop)
            continue;
        fprintf(stream, "subgraph cluster_%u {\nlabel=\"loop %u", i + 1, i - graph->first_loop + 1);
        if (inner->file)
            fprintf(stream, ", lines %d-%d", inner->first_line, inner->last_line);
        fputs("\";\n", stream);
        write_level(execution, graph, i, stream);
        fputs("}\n", stream);
    }
}

void hiera_execution_write_dot(const HieraExecution *execution, guint number, FILE *stream)
{
    const HieraFunctionGraph *graph = hiera_execution_graph(execution, number);
    g_autofree char *name = g_strescape(graph->name, NULL);
    fprintf(stream, "digraph \"%s\" {\n", name);
    write_level(execution, graph, HIERA_NO_VERTEX, stream);
    for (guint i = graph->first; i < graph->first + graph->n; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(execution, i);
        guint first = vertex->kind == HIERA_VERTEX_JUMP || vertex->kind == HIERA_VERTEX_SWITCH ? 1 : 0;
        for (guint k = first; !vertex->is_gone && k < vertex->n_next; k++)
            if (vertex->next[k] != HIERA_NO_VERTEX)
                fprintf(stream, "v%u -> v%u%s;\n", i - graph->first, vertex->next[k] - graph->first,
                        vertex->kind == HIERA_VERTEX_BRANCH && k == 1 ? " [label=\"taken\"]" : "");
    }
    fputs("}\n", stream);
}
