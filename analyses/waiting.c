/* Waiting; see waiting.h. Three passes over the edges: direct dependences, dependences through the vertex of a
 * collective, dependences of non-blocking operations, which are handed on to their completions. */
#include "waiting.h"

#define NEVER G_MININT64

/* Times in nanoseconds, NEVER if there is none. */
typedef struct {
    const HieraGraph *graph;
    const HieraTrace *trace;
    gint64 *latest;   /* by row: the latest start of the operations on which it depends */
    gint64 *hub;      /* by vertex of a collective: the latest start of the members */
    gint64 *received; /* by row of a send: the start of its receive */
    igraph_integer_t first_hub;
} Waiting;

static void later(gint64 *latest, gint64 time_ns)
{
    *latest = MAX(*latest, time_ns);
}

static void follow_collective(const Waiting *waiting, igraph_integer_t from, igraph_integer_t to)
{
    guint32 origin = hiera_graph_vertex_row(waiting->graph, from), target = hiera_graph_vertex_row(waiting->graph, to);
    if (target == HIERA_NONE) {
        later(&waiting->hub[to - waiting->first_hub], waiting->trace->start_ns[origin]);
        return;
    }
    if (origin == HIERA_NONE)
        return; /* `hub` is complete only after this pass: see follow_hub() */
    later(&waiting->latest[target], waiting->trace->start_ns[origin]);
    if (hiera_trace_peek_site(waiting->trace, target)->kind == HIERA_KIND_PREFIX)
        later(&waiting->latest[target], waiting->latest[origin]); /* lower ranks: their edges come first */
}

static void follow(const Waiting *waiting, igraph_integer_t edge)
{
    const igraph_t *igraph = hiera_graph_peek_igraph(waiting->graph);
    igraph_integer_t from = IGRAPH_FROM(igraph, edge), to = IGRAPH_TO(igraph, edge);
    HieraEdge kind = hiera_graph_edge_kind(waiting->graph, edge);
    if (kind == HIERA_EDGE_COLLECTIVE) {
        follow_collective(waiting, from, to);
    } else if (kind == HIERA_EDGE_MESSAGE || kind == HIERA_EDGE_EPOCH) {
        guint32 origin = hiera_graph_vertex_row(waiting->graph, from),
                target = hiera_graph_vertex_row(waiting->graph, to);
        later(&waiting->latest[target], waiting->trace->start_ns[origin]);
        if (kind == HIERA_EDGE_MESSAGE)
            later(&waiting->received[origin], waiting->trace->start_ns[target]);
    }
}

/* Hand the latest start of all members from the vertex of a collective to each member. */
static void follow_hub(const Waiting *waiting, igraph_integer_t edge)
{
    const igraph_t *igraph = hiera_graph_peek_igraph(waiting->graph);
    igraph_integer_t from = IGRAPH_FROM(igraph, edge), to = IGRAPH_TO(igraph, edge);
    HieraEdge kind = hiera_graph_edge_kind(waiting->graph, edge);
    if (kind == HIERA_EDGE_COLLECTIVE && from >= waiting->first_hub)
        later(&waiting->latest[hiera_graph_vertex_row(waiting->graph, to)], waiting->hub[from - waiting->first_hub]);
}

/* Hand the dependences of a non-blocking operation on to the call that completed it. */
static void complete(const Waiting *waiting, igraph_integer_t edge)
{
    const igraph_t *igraph = hiera_graph_peek_igraph(waiting->graph);
    if (hiera_graph_edge_kind(waiting->graph, edge) != HIERA_EDGE_REQUEST)
        return;
    guint32 start = hiera_graph_vertex_row(waiting->graph, IGRAPH_FROM(igraph, edge));
    guint32 completion = hiera_graph_vertex_row(waiting->graph, IGRAPH_TO(igraph, edge));
    later(&waiting->latest[completion], waiting->latest[start]);
    if (waiting->received[start] < waiting->trace->finish_ns[completion])
        later(&waiting->latest[completion], waiting->received[start]);
}

/* True if a call only starts a non-blocking operation or activates a persistent request: then it does not wait. */
static gboolean is_start(const HieraTrace *trace, guint32 row)
{
    const HieraRequest *requests;
    HieraKind kind = hiera_trace_peek_site(trace, row)->kind;
    return kind == HIERA_KIND_START ||
           (kind != HIERA_KIND_COMPLETE && hiera_trace_peek_requests(trace, row, &requests));
}

static gint64 waiting_of(const Waiting *waiting, guint32 row)
{
    const HieraTrace *trace = waiting->trace;
    if (is_start(trace, row))
        return 0;
    gint64 latest = waiting->latest[row], start = trace->start_ns[row], finish = trace->finish_ns[row];
    if (waiting->received[row] < finish)
        later(&latest, waiting->received[row]);
    return latest > start ? MIN(latest, finish) - start : 0;
}

static gint64 *new_times(gsize n)
{
    gint64 *times = g_new(gint64, n + 1);
    for (gsize i = 0; i < n; i++)
        times[i] = NEVER;
    return times;
}

gint64 *hiera_waiting_compute(const HieraGraph *graph)
{
    const igraph_t *igraph = hiera_graph_peek_igraph(graph);
    const HieraTrace *trace = hiera_graph_peek_trace(graph);
    igraph_integer_t n_edges = igraph_ecount(igraph),
                     first_hub = (igraph_integer_t)trace->n_operations + trace->n_processors;
    g_autofree gint64 *hub = new_times((gsize)(igraph_vcount(igraph) - first_hub));
    g_autofree gint64 *latest = new_times(trace->n_operations), *received = new_times(trace->n_operations);
    Waiting waiting = {graph, trace, latest, hub, received, first_hub};
    static void (*const passes[])(const Waiting *, igraph_integer_t) = {follow, follow_hub, complete};
    for (guint pass = 0; pass < G_N_ELEMENTS(passes); pass++)
        for (igraph_integer_t edge = 0; edge < n_edges; edge++)
            passes[pass](&waiting, edge);
    gint64 *result = g_new0(gint64, (gsize)trace->n_operations + 1);
    for (guint32 row = 0; row < trace->n_operations; row++)
        result[row] = waiting_of(&waiting, row);
    return result;
}
