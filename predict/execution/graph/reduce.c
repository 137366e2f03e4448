/* Reductions of execution graphs: fewer vertices, the same paths.
 *
 * Passages: a vertex with one edge in and one edge out is merged into its successor, if that has no other predecessor.
 * Groupings: if several paths meet at a vertex whose only successor has no other predecessor, these two are merged;
 * otherwise the vertex is merged into its predecessors, if it is the only successor of each. Branches: the least cost
 * of both paths behind a decision is moved into the decision. Communication, calls and headers of loops stay as they
 * are. */
#include "execution_graph.h"

static gboolean is_plain(const HieraVertex *vertex)
{
    return !vertex->is_gone && (vertex->kind == HIERA_VERTEX_EXECUTION || vertex->kind == HIERA_VERTEX_JUMP);
}

/* Return the only vertex that can follow; HIERA_NO_VERTEX: there is none, or there are several. */
static guint only_next(const HieraVertex *vertex)
{
    if (vertex->kind == HIERA_VERTEX_JUMP)
        return vertex->next[1];
    return vertex->kind == HIERA_VERTEX_EXECUTION && vertex->n_next == 1 ? vertex->next[0] : HIERA_NO_VERTEX;
}

/* Return the index of the first edge that can be taken: JUMP and SWITCH never take the edge to the next address. */
static guint first_way(const HieraVertex *vertex)
{
    return vertex->kind == HIERA_VERTEX_JUMP || vertex->kind == HIERA_VERTEX_SWITCH ? 1 : 0;
}

static guint *count_ways_in(const HieraExecution *execution)
{
    guint *n = g_new0(guint, execution->vertices->len);
    for (guint i = 0; i < execution->graphs->len; i++)
        n[hiera_execution_graph(execution, i)->first]++;
    for (guint i = 0; i < execution->vertices->len; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(execution, i);
        for (guint k = first_way(vertex); !vertex->is_gone && k < vertex->n_next; k++)
            if (vertex->next[k] != HIERA_NO_VERTEX)
                n[vertex->next[k]]++;
    }
    return n;
}

static gboolean *find_headers(const HieraExecution *execution)
{
    gboolean *is_header = g_new0(gboolean, execution->vertices->len);
    for (guint i = 0; i < execution->loops->len; i++)
        is_header[hiera_execution_loop(execution, i)->header] = TRUE;
    return is_header;
}

/* Set the steps of vertex `to`: those of `first`, then those of `second`. */
static void join_steps(HieraExecution *execution, HieraVertex *to, const HieraVertex *first, const HieraVertex *second)
{
    guint n = first->n_steps + second->n_steps, from = execution->steps->len;
    const guint begins[] = {first->first_step, second->first_step}, counts[] = {first->n_steps, second->n_steps};
    for (guint part = 0; part < 2; part++) {
        for (guint i = 0; i < counts[part]; i++) {
            const HieraStep step = g_array_index(execution->steps, HieraStep, begins[part] + i);
            g_array_append_val(execution->steps, step);
        }
    }
    to->first_step = from;
    to->n_steps = n;
}

/* Make all edges that lead to vertex `from` lead to vertex `to`. */
static void redirect(HieraExecution *execution, const HieraFunctionGraph *graph, guint from, guint to)
{
    for (guint i = graph->first; i < graph->first + graph->n; i++) {
        HieraVertex *vertex = hiera_execution_vertex(execution, i);
        for (guint k = 0; k < vertex->n_next; k++)
            if (vertex->next[k] == from)
                vertex->next[k] = to;
    }
}

/* Merge vertex `from` into its only successor, `to`. */
static void merge_forward(HieraExecution *execution, const HieraFunctionGraph *graph, guint from, guint to)
{
    HieraVertex *passage = hiera_execution_vertex(execution, from), *target = hiera_execution_vertex(execution, to);
    join_steps(execution, target, passage, target);
    target->cycles += passage->cycles;
    target->begin = MIN(target->begin, passage->begin);
    passage->is_gone = TRUE;
    redirect(execution, graph, from, to);
}

/* Merge vertex `from` into each of its predecessors. */
static void merge_backward(HieraExecution *execution, const HieraFunctionGraph *graph, guint from)
{
    HieraVertex *grouping = hiera_execution_vertex(execution, from);
    for (guint i = graph->first; i < graph->first + graph->n; i++) {
        HieraVertex *vertex = hiera_execution_vertex(execution, i);
        if (!is_plain(vertex) || only_next(vertex) != from)
            continue;
        join_steps(execution, vertex, vertex, grouping);
        vertex->cycles += grouping->cycles;
    }
    grouping->is_gone = TRUE;
    redirect(execution, graph, from, only_next(grouping));
}

static gboolean only_passages_lead_to(const HieraExecution *execution, const HieraFunctionGraph *graph, guint to)
{
    for (guint i = graph->first; i < graph->first + graph->n; i++) {
        const HieraVertex *vertex = hiera_execution_vertex(execution, i);
        for (guint k = first_way(vertex); !vertex->is_gone && k < vertex->n_next; k++)
            if (vertex->next[k] == to && !is_plain(vertex))
                return FALSE;
    }
    return TRUE;
}

static gboolean is_merged_into(const HieraVertex *target)
{
    return !target->is_gone && target->kind != HIERA_VERTEX_CALL && target->kind != HIERA_VERTEX_COMMUNICATION;
}

/* Merge vertex i into its successor or its predecessors, if a reduction allows it. @return whether it was merged */
static gboolean reduce_vertex(HieraExecution *execution, guint i, HieraReductions reductions, const guint *n_in,
                              const gboolean *is_header)
{
    HieraVertex *vertex = hiera_execution_vertex(execution, i);
    const HieraFunctionGraph *graph = hiera_execution_graph(execution, vertex->graph);
    guint next = is_plain(vertex) ? only_next(vertex) : HIERA_NO_VERTEX;
    if (next == HIERA_NO_VERTEX || next == i || is_header[i] || i == graph->first)
        return FALSE;
    const HieraVertex *target = hiera_execution_vertex(execution, next);
    gboolean passage = n_in[i] == 1 && reductions & HIERA_REDUCE_PASSAGES,
             grouping = n_in[i] > 1 && reductions & HIERA_REDUCE_GROUPINGS;
    if ((passage || grouping) && n_in[next] == 1 && target->loop == vertex->loop && is_merged_into(target)) {
        merge_forward(execution, graph, i, next);
        return TRUE;
    }
    if (grouping && vertex->kind == HIERA_VERTEX_EXECUTION && only_passages_lead_to(execution, graph, i)) {
        merge_backward(execution, graph, i);
        return TRUE;
    }
    return FALSE;
}

/* Move cost that both paths behind a branch have in common into the branch. */
static void reduce_branch(HieraExecution *execution, HieraVertex *branch, const guint *n_in)
{
    gdouble least = G_MAXDOUBLE;
    if (branch->is_gone || branch->kind != HIERA_VERTEX_BRANCH)
        return;
    for (guint k = 0; k < 2; k++) {
        const HieraVertex *way =
            branch->next[k] == HIERA_NO_VERTEX ? NULL : hiera_execution_vertex(execution, branch->next[k]);
        if (!way || !is_plain(way) || n_in[branch->next[k]] != 1 || way->loop != branch->loop)
            return;
        least = MIN(least, way->cycles);
    }
    branch->cycles += least;
    for (guint k = 0; k < 2; k++)
        hiera_execution_vertex(execution, branch->next[k])->cycles -= least;
}

guint hiera_execution_reduce(HieraExecution *execution, HieraReductions reductions)
{
    guint n_gone = 0;
    g_autofree gboolean *is_header = find_headers(execution);
    for (gboolean again = reductions != 0; again;) {
        g_autofree guint *n_in = count_ways_in(execution);
        again = FALSE;
        for (guint i = 0; i < execution->vertices->len; i++) {
            if (hiera_execution_vertex(execution, i)->is_gone ||
                !reduce_vertex(execution, i, reductions, n_in, is_header))
                continue;
            n_gone++;
            again = TRUE;
            g_free(n_in);
            n_in = count_ways_in(execution);
        }
    }
    g_autofree guint *n_in = count_ways_in(execution);
    for (guint i = 0; reductions & HIERA_REDUCE_BRANCHES && i < execution->vertices->len; i++)
        reduce_branch(execution, hiera_execution_vertex(execution, i), n_in);
    return n_gone;
}
