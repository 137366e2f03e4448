/* The operations of a rank as begins and ends, in the order of time: what viewers of stacks want.
 *
 * In each thread the events nest and never go back in time, whatever the times in the trace are: an operation begins no
 * earlier than what was visited before it, and ends no later than its parent. */
#ifndef HIERA_EXPORT_EVENTS_H
#define HIERA_EXPORT_EVENTS_H

#include "hiera_match.h"

typedef struct {
    guint32 row;
    guint32 thread; /* as in the trace; all events of a thread come together, the main thread's first */
    guint32 depth;  /* how many operations are open around it */
    gint64 time_ns;
    gint64 begin_ns; /* the time at which it begins, also when it ends */
    gboolean begins;
} HieraEvent;

typedef void (*HieraEventVisit)(const HieraEvent *event, gpointer user);

/* Visit the events of a processor. O(operations); memory grows with the depth alone.
 * @param processor  index in the trace */
void hiera_events_visit(const HieraTrace *trace, guint32 processor, HieraEventVisit visit, gpointer user);

#endif
