/* A queue of future events by time: a heap in which each node has four children, so that the children lie in one cache
 * line. Events at the same time are taken in the order in which they were added. */
#pragma once

#include <glib.h>

typedef struct {
    gint64 time_ps;
    guint32 order; /* number of the insertion, which may overflow: events at the same time are never 2^31 insertions
                      apart */
    guint32 what;  /* what happens and to whom; encoded by the user of the queue */
} Event;

typedef struct {
    Event *heap;
    guint32 n, capacity, order;
} Events;

void events_put(Events *events, gint64 time_ps, guint32 what);
/* Remove and return the earliest event; there must be one. */
Event events_take(Events *events);
void events_clear(Events *events);

/* Return the time of the earliest event; G_MAXINT64: there is none. */
static inline gint64 events_next_ps(const Events *events)
{
    return events->n > 0 ? events->heap[0].time_ps : G_MAXINT64;
}
