/* The order of dependences: each node comes after the nodes that it depends on.
 *
 * Processors advance call by call. If a call depends on a start or a join that is not reached yet, its processor waits
 * on a stack until the other processor has got there. A processor or join that is already on the stack can never get
 * there: the edge closes a circle and is left out. So each call and each edge is visited once, except those at which a
 * processor stopped.
 *
 * A circle has only starts and joins of one instant, since nothing ends before what it depends on. Which of its edges
 * is left out must not depend on events before or after that instant, because several processes know different parts of
 * them; so if there are circles, all processors advance together to each of their instants, and then through it. */
#include "dependence_parts.h"
#include <stdlib.h>
#include <string.h>

/* Entry of the stack: a processor that advances to a call, or a join (dependences.h) whose dependences are followed. */
typedef struct {
    guint32 processor; /* processor that advances; HIERA_NONE: a join */
    guint32 goal;      /* call that the processor must reach; of a join, its node */
    guint32 edge;      /* edge to check next, of the processor's current call or of the join */
} Frame;

typedef struct {
    HieraDependences *of;
    guint32 *at;    /* by processor: its next call, not in the order yet */
    guint8 *waits;  /* by processor: TRUE if it is on the stack */
    guint64 *open;  /* bit by call: 1 if its processor has not reached it yet */
    guint8 *joined; /* by join: 0, ON_STACK, or DONE (it is in the order) */
    guint32 n_done;
    GArray *stack;   /* Frame */
    GArray *circles; /* HieraDependenceEdge: edges that were left out; `to` is the index of the edge, not a node */
} Sort;

enum { ON_STACK = 1, DONE };

static void push(Sort *sort, guint32 processor, guint32 goal)
{
    guint32 node = processor == HIERA_NONE ? goal : sort->at[processor];
    Frame frame = {processor, goal, sort->of->first_edge[node]};
    g_array_append_val(sort->stack, frame);
    if (processor == HIERA_NONE)
        sort->joined[goal - sort->of->n_calls] = ON_STACK;
    else
        sort->waits[processor] = TRUE;
}

static void leave_out(const Sort *sort, guint32 edge)
{
    HieraDependenceEdge circle = {sort->of->from[edge], edge};
    g_array_append_val(sort->circles, circle);
    sort->of->from[edge] = HIERA_NONE;
}

/* Return TRUE if the node that an edge comes from is reached, or if the edge closes a circle and is left out. Otherwise
 * push the processor or join that must reach it. */
static gboolean reach(Sort *sort, guint32 edge)
{
    HieraDependences *of = sort->of;
    guint32 node = of->from[edge];
    gboolean circle;
    if (node < of->n_calls) {
        if (!(sort->open[node / 64] >> node % 64 & 1))
            return TRUE;
        guint32 processor = hiera_dependences_processor(of, node);
        circle = sort->waits[processor];
        if (!circle)
            push(sort, processor, node);
    } else {
        if (sort->joined[node - of->n_calls] == DONE)
            return TRUE;
        circle = sort->joined[node - of->n_calls] == ON_STACK;
        if (!circle)
            push(sort, HIERA_NONE, node);
    }
    if (circle)
        leave_out(sort, edge);
    return circle;
}

/* Return the latest time of the nodes that a node depends on. */
static gint64 latest_of(const HieraDependences *of, guint32 node)
{
    gint64 last_ns = G_MININT64;
    for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++)
        last_ns = MAX(last_ns, hiera_dependences_time(of, of->from[edge]));
    return last_ns;
}

void hiera_dependences_check_times(HieraDependences *of, const GArray *times)
{
    guint32 n = of->n_joins - (times ? times->len : 0);
    of->join_ns = g_new(gint64, (gsize)of->n_joins + 1);
    for (guint32 i = 0; i < n; i++) /* a join of a collective depends only on calls and on earlier joins */
        of->join_ns[i] = latest_of(of, of->n_calls + i);
    if (times)
        memcpy(of->join_ns + n, times->data, times->len * sizeof *of->join_ns);
    for (guint32 call = 0; call < of->n_calls; call++) {
        for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++) {
            if (hiera_dependences_time(of, of->from[edge]) > of->finish_ns[call])
                of->from[edge] = HIERA_NONE;
        }
    }
}

/* Check the dependences of a node from `edge` on, and append it to the order if all are reached.
 * @return FALSE if one is not reached; its edge will be checked again */
static gboolean meet(Sort *sort, guint32 node)
{
    HieraDependences *of = sort->of;
    guint top = sort->stack->len - 1;
    guint32 edge = g_array_index(sort->stack, Frame, top).edge, behind = of->first_edge[node + 1];
    while (edge < behind && (of->from[edge] == HIERA_NONE || reach(sort, edge)))
        edge++;
    g_array_index(sort->stack, Frame, top).edge = edge;
    if (edge < behind)
        return FALSE;
    of->order[sort->n_done++] = node;
    return TRUE;
}

/* Advance the processor or join on top of the stack, until it is done or another one is pushed. */
static void advance(Sort *sort)
{
    Frame frame = g_array_index(sort->stack, Frame, sort->stack->len - 1);
    if (frame.processor == HIERA_NONE) {
        if (!meet(sort, frame.goal))
            return;
        sort->joined[frame.goal - sort->of->n_calls] = DONE;
    } else {
        /* frame.edge stays valid from call to call: the edges of the next call follow those of this one. */
        for (guint32 call; (call = sort->at[frame.processor]) < frame.goal; sort->at[frame.processor]++) {
            if (!meet(sort, call))
                return;
            sort->open[(call + 1) / 64] &= ~(G_GUINT64_CONSTANT(1) << (call + 1) % 64);
        }
        sort->waits[frame.processor] = FALSE;
    }
    g_array_set_size(sort->stack, sort->stack->len - 1);
}

static void finish(Sort *sort)
{
    while (sort->stack->len > 0)
        advance(sort);
}

/* Return the first value of Sort.open, with the bit of each processor's first call 0; to be freed with g_free. */
static guint64 *list_open(const HieraDependences *of)
{
    gsize n = (gsize)of->n_calls / 64 + 1;
    guint64 *open = g_new(guint64, n);
    memset(open, 0xff, n * sizeof *open);
    for (guint32 i = 0; i <= of->trace->n_processors; i++)
        open[of->first_call[i] / 64] &= ~(G_GUINT64_CONSTANT(1) << of->first_call[i] % 64);
    return open;
}

static void sort_init(Sort *sort, HieraDependences *of)
{
    guint32 n = of->trace->n_processors;
    *sort = (Sort){of,
                   g_memdup2(of->first_call, ((gsize)n + 1) * sizeof *sort->at),
                   g_new0(guint8, (gsize)n + 1),
                   list_open(of),
                   g_new0(guint8, (gsize)of->n_joins + 1),
                   0,
                   g_array_new(FALSE, FALSE, sizeof(Frame)),
                   g_array_new(FALSE, FALSE, sizeof(HieraDependenceEdge))};
}

static void sort_clear(const Sort *sort)
{
    g_free(sort->at);
    g_free(sort->waits);
    g_free(sort->open);
    g_free(sort->joined);
    g_array_unref(sort->stack);
    g_array_unref(sort->circles);
}

static void advance_to(Sort *sort, guint32 processor, guint32 goal)
{
    if (sort->at[processor] < goal)
        push(sort, processor, goal);
    finish(sort);
}

static void advance_all(Sort *sort)
{
    const HieraDependences *of = sort->of;
    for (guint32 i = 0; i < of->trace->n_processors; i++)
        advance_to(sort, i, of->first_call[i + 1]);
    for (guint32 i = 0; i < of->n_joins; i++) { /* joins on which no call depends were not reached by the processors */
        if (sort->joined[i] != DONE)
            push(sort, HIERA_NONE, of->n_calls + i);
        finish(sort);
    }
}

/* --- circles of dependences --- */

/* Advance each processor to its last call that starts at time_ns or before: what ends earlier is then in the order. */
static void advance_until(Sort *sort, gint64 time_ns)
{
    const HieraDependences *of = sort->of;
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        guint32 low = of->first_call[i];
        for (guint32 high = of->first_call[i + 1]; low < high;) {
            guint32 middle = low + (high - low) / 2;
            if (of->start_ns[middle] <= time_ns)
                low = middle + 1;
            else
                high = middle;
        }
        advance_to(sort, i, MAX(low, of->first_call[i] + 1) - 1);
    }
}

static int compare_nodes(const void *left, const void *right)
{
    guint32 a = *(const guint32 *)left, b = *(const guint32 *)right;
    return (a > b) - (a < b);
}

static int compare_times(const void *left, const void *right)
{
    gint64 a = *(const gint64 *)left, b = *(const gint64 *)right;
    return (a > b) - (a < b);
}

/* Restore the edges that were left out, and the edges of joins in the order of their calls.
 * @return the instants of the circles, gint64, rising; to be freed with g_array_unref */
static GArray *restore(const Sort *sort)
{
    HieraDependences *of = sort->of;
    GArray *times = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < sort->circles->len; i++) {
        const HieraDependenceEdge *circle = &g_array_index(sort->circles, HieraDependenceEdge, i);
        gint64 time_ns = hiera_dependences_time(of, of->from[circle->to] = circle->from);
        g_array_append_val(times, time_ns);
    }
    for (guint32 node = of->n_calls; node < of->n_calls + of->n_joins; node++) {
        guint32 first = of->first_edge[node];
        if (of->first_edge[node + 1] > first)
            qsort(&of->from[first], of->first_edge[node + 1] - first, sizeof *of->from, compare_nodes);
    }
    qsort(times->data, times->len, sizeof(gint64), compare_times);
    return times;
}

static void cut_circles(HieraDependences *of, const GArray *times)
{
    Sort sort;
    sort_init(&sort, of);
    for (guint i = 0; i < times->len; i++) {
        gint64 time_ns = g_array_index(times, gint64, i);
        advance_until(&sort, time_ns - 1);
        advance_until(&sort, time_ns);
    }
    advance_all(&sort);
    sort_clear(&sort);
}

gboolean hiera_dependences_order(HieraDependences *of)
{
    Sort sort;
    of->order = g_new(guint32, (gsize)of->n_calls + of->n_joins + 1);
    sort_init(&sort, of);
    advance_all(&sort);
    gboolean circles = sort.circles->len > 0;
    if (circles) {
        g_autoptr(GArray) times = restore(&sort);
        cut_circles(of, times);
    }
    sort_clear(&sort);
    return circles;
}
