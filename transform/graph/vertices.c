/* Converts between rows, processors and vertices, whose numbering is in hiera_graph.h. */
#include "graph_private.h"

igraph_integer_t hiera_graph_processor_vertex(const HieraGraph *graph, guint32 processor)
{
    return (igraph_integer_t)graph->trace->processors[processor].first + processor;
}

igraph_integer_t hiera_graph_operation_vertex(const HieraGraph *graph, guint32 row)
{
    return (igraph_integer_t)row + hiera_trace_find_processor(graph->trace, row) + 1;
}

/* Return the index of the processor whose vertices include a vertex: its own, and those of its operations. */
static guint32 find_processor(const HieraGraph *graph, igraph_integer_t vertex)
{
    guint32 low = 0, high = graph->trace->n_processors;
    while (high - low > 1) {
        guint32 middle = low + (high - low) / 2;
        if (hiera_graph_processor_vertex(graph, middle) <= vertex)
            low = middle;
        else
            high = middle;
    }
    return low;
}

guint32 hiera_graph_vertex_row(const HieraGraph *graph, igraph_integer_t vertex)
{
    if (vertex >= graph->hubs)
        return HIERA_NONE;
    guint32 processor = find_processor(graph, vertex);
    if (vertex == hiera_graph_processor_vertex(graph, processor))
        return HIERA_NONE;
    return (guint32)(vertex - processor - 1);
}
