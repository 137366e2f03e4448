/* The operations of a rank as begin and end events in the order of time, as viewers of stacks need them.
 *
 * In each thread the events nest and never go back in time, whatever the times in the trace are: an operation begins no
 * earlier than the event before it, and ends no later than its parent. */
#pragma once

#include "hiera_match.h"

typedef struct {
    guint32 row;
    guint32 thread; /* as in the trace; all events of a thread come together, the main thread's first */
    guint32 depth;  /* number of operations that are open around it */
    gint64 time_ns;
    gint64 begin_ns, end_ns; /* begin and end of the operation, whichever of them the event is */
    gboolean begins;
} HieraEvent;

/* An iterator over the events of some rows. Its memory depends on the depth only. */
typedef struct {
    const HieraTrace *trace;
    guint64 row, end; /* the next row to begin; one behind the last row */
    guint32 thread;
    gint64 last_ns; /* time of the last event of the thread */
    GArray *stack;  /* operations that have begun */
} HieraEventCursor;

/* Start an iteration.
 * @param first  the first of n rows of one processor; they contain all descendants of each operation */
void hiera_event_cursor_init(HieraEventCursor *cursor, const HieraTrace *trace, guint64 first, guint64 n);
void hiera_event_cursor_clear(HieraEventCursor *cursor);
/* Find the next event. @return FALSE if there is none */
gboolean hiera_event_cursor_next(HieraEventCursor *cursor, HieraEvent *event);

typedef void (*HieraEventVisit)(const HieraEvent *event, gpointer user);

/* Visit the events of a processor. O(operations).
 * @param processor  index in the trace */
void hiera_events_visit(const HieraTrace *trace, guint32 processor, HieraEventVisit visit, gpointer user);
