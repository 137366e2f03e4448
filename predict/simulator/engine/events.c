#include "events.h"

enum { CHILDREN = 4 };

static gboolean is_before(const Event *a, const Event *b)
{
    return a->time_ps != b->time_ps ? a->time_ps < b->time_ps : (gint32)(a->order - b->order) < 0;
}

void events_put(Events *events, gint64 time_ps, guint32 what)
{
    if (events->n == events->capacity) {
        events->capacity = events->capacity > 0 ? events->capacity * 2 : 64;
        events->heap = g_renew(Event, events->heap, events->capacity);
    }
    const Event event = {time_ps, events->order++, what};
    guint32 at = events->n++;
    while (at > 0 && is_before(&event, &events->heap[(at - 1) / CHILDREN])) {
        events->heap[at] = events->heap[(at - 1) / CHILDREN];
        at = (at - 1) / CHILDREN;
    }
    events->heap[at] = event;
}

Event events_take(Events *events)
{
    Event *heap = events->heap;
    const Event first = heap[0], last = heap[--events->n];
    guint32 at = 0;
    for (;;) {
        guint32 begin = at * CHILDREN + 1, end = MIN(begin + CHILDREN, events->n);
        if (begin >= events->n)
            break;
        guint32 least = begin;
        for (guint32 child = begin + 1; child < end; child++) {
            if (is_before(&heap[child], &heap[least]))
                least = child;
        }
        if (is_before(&last, &heap[least]))
            break;
        heap[at] = heap[least];
        at = least;
    }
    heap[at] = last;
    return first;
}

void events_clear(Events *events)
{
    g_free(events->heap);
    *events = (Events){0};
}
