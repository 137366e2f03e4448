/* The operations of a rank as begin and end events in the order of time, as viewers of stacks need them.
 *
 * In each thread the events nest and never go back in time, whatever the times in the trace are: an operation begins no
 * earlier than the event before it, and ends no later than its parent. */
#pragma once

#include "hiera_match.h"

typedef struct {
    guint32 row;
    guint32 thread; /* number of the operation's thread; all events of a thread come together, threads by number */
    guint32 depth;  /* number of operations that are open around this one */
    gint64 time_ns;
    gint64 begin_ns, end_ns; /* begin and end of the operation; one of both is `time_ns` */
    gboolean begins;
} HieraEvent;

/* The rows of a thread, which are consecutive. */
typedef struct {
    guint32 thread;
    guint64 first, n;
} HieraEventThread;

/* Return the threads of a processor by number, the main one even without operations.
 * @return HieraEventThread, to be freed with g_array_unref */
GArray *hiera_event_threads_new(const HieraTrace *trace, guint32 processor);

/* Iterator over the begin and end events of some rows. Needs memory for the open operations only. */
typedef struct {
    const HieraTrace *trace;
    guint64 row, end; /* next row that begins; one behind the last row */
    guint32 thread;
    gint64 last_ns; /* time of the last event in the current thread */
    GArray *stack;  /* operations that have begun and not ended, outermost first */
} HieraEventCursor;

/* Start an iteration.
 * @param first  the first of n rows of one processor; they contain all descendants of each operation */
void hiera_event_cursor_init(HieraEventCursor *cursor, const HieraTrace *trace, guint64 first, guint64 n);
void hiera_event_cursor_clear(HieraEventCursor *cursor);
/* Find the next event. @return FALSE: there was no further event */
gboolean hiera_event_cursor_next(HieraEventCursor *cursor, HieraEvent *event);

typedef void (*HieraEventVisit)(const HieraEvent *event, gpointer user);

/* Visit the events of a processor. O(operations).
 * @param processor  index in the trace */
void hiera_events_visit(const HieraTrace *trace, guint32 processor, HieraEventVisit visit, gpointer user);
