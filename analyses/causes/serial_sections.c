/* Serial sections; see serial_sections.h. The segments of all ranks are walked together in order of time: a heap has
 * the rank first whose next segment begins first. */
#include "serial_sections.h"

/* A processor in the heap, with its next segment. */
typedef struct {
    gint64 at_ns;
    guint32 node, processor;
} Entry;

/* Where a processor is. All that one step needs is together, because there may be thousands of processors. */
typedef struct {
    const HieraSegment *next, *end; /* the segments behind that in the heap */
    guint32 node;                   /* of the segment before that in the heap */
    gboolean computes;
} Cursor;

typedef struct {
    Entry *heap;
    guint32 n;
    Cursor *cursors;  /* by processor */
    guint8 *computes; /* by node */
} Walk;

gboolean hiera_node_computes(const HieraCallPaths *paths, guint32 node)
{
    const HieraSite *site = hiera_call_paths_site(paths, node);
    return !site || !site->mpi || (hiera_call_tree_peek(paths->tree, node)->site & HIERA_CALL_BEFORE);
}

static gboolean is_before(const Entry *a, const Entry *b)
{
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->processor < b->processor;
}

/* Put an entry into a place of the heap, or below it. */
static void sink(const Walk *walk, guint32 at, Entry entry)
{
    Entry *heap = walk->heap;
    for (guint32 child; (child = 2 * at + 1) < walk->n; at = child) {
        child += child + 1 < walk->n && is_before(&heap[child + 1], &heap[child]);
        if (is_before(&entry, &heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = entry;
}

/* Replace the segment that begins first by the next one of its processor. */
static void take(Walk *walk)
{
    Entry entry = walk->heap[0];
    Cursor *cursor = &walk->cursors[entry.processor];
    if (cursor->next < cursor->end) {
        entry.at_ns = cursor->next->start_ns;
        entry.node = cursor->next++->node;
    } else
        entry = walk->heap[--walk->n];
    sink(walk, 0, entry);
}

static void visit_all(Walk *walk, HieraSerialVisit visit, gpointer user)
{
    guint active = 0;
    guint32 mixed = 0; /* exclusive or of the processors that compute: if there is one, this one */
    for (gint64 last_ns = G_MININT64; walk->n > 0;) {
        const Entry entry = walk->heap[0];
        Cursor *cursor = &walk->cursors[entry.processor];
        if (active == 1 && entry.at_ns > last_ns)
            visit(mixed, walk->cursors[mixed].node, last_ns, entry.at_ns, user);
        last_ns = MAX(last_ns, entry.at_ns);
        gboolean computes = entry.node != HIERA_NONE && walk->computes[entry.node];
        active += computes && !cursor->computes ? 1 : !computes && cursor->computes ? (guint)-1 : 0;
        mixed ^= computes != cursor->computes ? entry.processor : 0;
        cursor->computes = computes;
        cursor->node = entry.node;
        take(walk);
    }
}

void hiera_serial_sections_visit(const HieraDelays *delays, const HieraCallPaths *paths, HieraSerialVisit visit,
                                 gpointer user)
{
    const guint32 n = delays->n_processors;
    const guint n_nodes = paths->tree->nodes->len;
    g_autofree Entry *heap = g_new(Entry, (gsize)n + 1);
    g_autofree Cursor *cursors = g_new(Cursor, (gsize)n + 1);
    g_autofree guint8 *computes = g_new(guint8, n_nodes);
    Walk walk = {heap, n, cursors, computes};
    for (guint node = 0; node < n_nodes; node++)
        computes[node] = hiera_node_computes(paths, node);
    for (guint32 i = 0; i < n; i++) {
        const GArray *segments = delays->times[i].segments;
        const HieraSegment *first = (const HieraSegment *)(void *)segments->data;
        cursors[i] = (Cursor){first + 1, first + segments->len, 0, FALSE};
        heap[i] = (Entry){first->start_ns, first->node, i};
    }
    for (guint32 i = n / 2; i-- > 0;)
        sink(&walk, i, heap[i]);
    if (n > 1)
        visit_all(&walk, visit, user);
}
