/* Serial sections; see serial_sections.h. The segments of all ranks are walked together in order of time: a heap has
 * the rank first whose next segment begins first. */
#include "serial_sections.h"

typedef struct {
    const HieraRankTimes *times; /* by processor */
    guint *next;                 /* by processor: its next segment */
    guint32 *heap, n;            /* processors */
    guint8 *computes;            /* by node */
    gboolean *computing;         /* by processor */
} Walk;

gboolean hiera_node_computes(const HieraCallPaths *paths, guint32 node)
{
    const HieraSite *site = hiera_call_paths_site(paths, node);
    return !site || !site->mpi || (hiera_call_tree_peek(paths->tree, node)->site & HIERA_CALL_BEFORE);
}

static const HieraSegment *peek_next(const Walk *walk, guint32 processor)
{
    return &g_array_index(walk->times[processor].segments, HieraSegment, walk->next[processor]);
}

static gboolean is_before(const Walk *walk, guint32 a, guint32 b)
{
    gint64 time_a = peek_next(walk, a)->start_ns, time_b = peek_next(walk, b)->start_ns;
    return time_a != time_b ? time_a < time_b : a < b;
}

/* Let a processor sink to its place in the heap. */
static void sink(const Walk *walk, guint32 at)
{
    for (guint32 child; (child = 2 * at + 1) < walk->n; at = child) {
        if (child + 1 < walk->n && is_before(walk, walk->heap[child + 1], walk->heap[child]))
            child++;
        if (is_before(walk, walk->heap[at], walk->heap[child]))
            return;
        guint32 processor = walk->heap[at];
        walk->heap[at] = walk->heap[child];
        walk->heap[child] = processor;
    }
}

/* Take the segment that begins first. @return its processor */
static guint32 take(Walk *walk)
{
    guint32 processor = walk->heap[0];
    if (++walk->next[processor] == walk->times[processor].segments->len)
        walk->heap[0] = walk->heap[--walk->n];
    sink(walk, 0);
    return processor;
}

static void visit_all(Walk *walk, HieraSerialVisit visit, gpointer user)
{
    guint active = 0;
    guint32 mixed = 0; /* exclusive or of the processors that compute: if there is one, this one */
    for (gint64 last_ns = G_MININT64; walk->n > 0;) {
        const HieraSegment *segment = peek_next(walk, walk->heap[0]);
        if (active == 1 && segment->start_ns > last_ns)
            visit(mixed, peek_next(walk, mixed)[-1].node, last_ns, segment->start_ns, user);
        last_ns = MAX(last_ns, segment->start_ns);
        guint32 processor = take(walk);
        gboolean computes = segment->node != HIERA_NONE && walk->computes[segment->node];
        if (computes == walk->computing[processor])
            continue;
        walk->computing[processor] = computes;
        active += computes ? 1 : (guint)-1;
        mixed ^= processor;
    }
}

void hiera_serial_sections_visit(const HieraDelays *delays, const HieraCallPaths *paths, HieraSerialVisit visit,
                                 gpointer user)
{
    const guint32 n = delays->n_processors;
    const guint n_nodes = paths->tree->nodes->len;
    g_autofree guint *next = g_new0(guint, (gsize)n + 1);
    g_autofree guint32 *heap = g_new(guint32, (gsize)n + 1);
    g_autofree guint8 *computes = g_new(guint8, n_nodes);
    g_autofree gboolean *computing = g_new0(gboolean, (gsize)n + 1);
    Walk walk = {delays->times, next, heap, n, computes, computing};
    for (guint node = 0; node < n_nodes; node++)
        computes[node] = hiera_node_computes(paths, node);
    for (guint32 i = 0; i < n; i++)
        heap[i] = i;
    for (guint32 i = n / 2; i-- > 0;)
        sink(&walk, i);
    if (n > 1)
        visit_all(&walk, visit, user);
}
