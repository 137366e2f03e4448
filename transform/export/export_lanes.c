/* See export_lanes.h. A heap merges the events of all lanes: the lane whose next event is earliest is at its top. */
#include "export_lanes.h"
#include "export_parts.h"

static void append_processor(GArray *lanes, const HieraTrace *trace, guint32 processor)
{
    g_autoptr(GArray) threads = hiera_event_threads_new(trace, processor);
    for (guint i = 0; i < threads->len; i++) {
        const HieraEventThread *thread = &g_array_index(threads, HieraEventThread, i);
        const HieraExportLane lane = {processor, thread->thread, thread->first - trace->processors[processor].first,
                                      thread->n};
        g_array_append_val(lanes, lane);
    }
}

/* --- lanes of all processes --- */

/* Compare lanes by processor; those of a processor keep their order. */
static gint compare_lanes(gconstpointer a, gconstpointer b)
{
    const HieraExportLane *x = a, *y = b;
    return (x->processor > y->processor) - (x->processor < y->processor);
}

GArray *hiera_lanes_new(const HieraScope *scope, const HieraTrace *trace)
{
    GArray *lanes = g_array_new(FALSE, FALSE, sizeof(HieraExportLane));
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (hiera_scope_is_own(scope, i))
            append_processor(lanes, trace, i);
    }
    hiera_scope_gather_array(scope, trace, lanes);
    g_array_sort(lanes, compare_lanes);
    hiera_scope_tell_array(scope, trace, lanes);
    return lanes;
}

void hiera_lanes_find_span(const HieraScope *scope, const HieraTrace *trace, gint64 *first_ns, gint64 *last_ns)
{
    *first_ns = G_MAXINT64;
    *last_ns = G_MININT64;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        *first_ns = MIN(*first_ns, processor->init_ns);
        *last_ns = MAX(*last_ns, MAX(processor->init_ns, processor->finalize_ns));
    }
    for (guint32 row = 0; row < trace->n_operations; row++) {
        *first_ns = MIN(*first_ns, trace->start_ns[row]);
        *last_ns = MAX(*last_ns, MAX(trace->start_ns[row], trace->finish_ns[row]));
    }
    *first_ns = hiera_export_least(scope, trace, *first_ns);
    *last_ns = ~hiera_export_least(scope, trace, ~*last_ns);
}

gint64 hiera_lanes_shift(gint64 first_ns)
{
    return hiera_minus(0, MIN(first_ns, 0));
}

/* Element of the heap: a lane that has a further event. */
typedef struct {
    guint lane;
    HieraEventCursor cursor;
    HieraEvent event; /* the lane's next event */
} Head;

static gboolean is_before(const Head *a, const Head *b)
{
    return a->event.time_ns != b->event.time_ns ? a->event.time_ns < b->event.time_ns : a->lane < b->lane;
}

/* Restore the order of a heap: move the element at an index down while an element below it comes first. */
static void sink(Head *heap, guint n, guint at)
{
    for (guint child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &heap[at]))
            return;
        Head moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
        at = child;
    }
}

/* Get the next event of a lane. @return FALSE: there is none, and the lane's cursor is freed */
static gboolean advance(Head *head)
{
    if (hiera_event_cursor_next(&head->cursor, &head->event))
        return TRUE;
    hiera_event_cursor_clear(&head->cursor);
    return FALSE;
}

void hiera_lanes_visit(const HieraScope *scope, const HieraTrace *trace, const GArray *lanes, HieraLaneVisit visit,
                       gpointer user)
{
    g_autofree Head *heap = g_new(Head, MAX(lanes->len, 1));
    guint n = 0;
    for (guint i = 0; i < lanes->len; i++) {
        const HieraExportLane *lane = &g_array_index(lanes, HieraExportLane, i);
        if (!hiera_scope_is_own(scope, lane->processor))
            continue;
        heap[n].lane = i;
        hiera_event_cursor_init(&heap[n].cursor, trace, trace->processors[lane->processor].first + lane->first,
                                lane->n_operations);
        if (advance(&heap[n]))
            n++;
    }
    for (guint i = n; i-- > 0;)
        sink(heap, n, i);
    while (n) {
        const HieraEvent event = heap[0].event;
        visit(heap[0].lane, &event, user);
        if (!advance(&heap[0]))
            heap[0] = heap[--n];
        sink(heap, n, 0);
    }
}
