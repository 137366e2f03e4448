/* Lanes: the threads of all processors, which viewers draw one below the other; and their events merged in the
 * order of time, for formats that are read once from start to end. */
#pragma once

#include "export_events.h"
#include "hiera_measure.h"

typedef struct {
    guint32 processor, thread;
    guint64 first, n_operations; /* index of the thread's first operation in its processor, and number of the thread's
                                    operations */
} HieraExportLane;

/* If there are several processes, all of them call each of the following functions. */

/* Return the lanes of a trace: processor after processor, its threads by number, the main thread even if it has no
 * operations; also lanes of other processes.
 * @return HieraExportLane, to be freed with g_array_unref */
GArray *hiera_lanes_new(const HieraScope *scope, const HieraTrace *trace);

/* Find the first and the last time in the traces of all processes, of operations, init and finalize. */
void hiera_lanes_find_span(const HieraScope *scope, const HieraTrace *trace, gint64 *first_ns, gint64 *last_ns);

/* Return what to add to all times, for formats without negative times: 0 unless the first time is negative. */
gint64 hiera_lanes_shift(gint64 first_ns);

/* Callback for an event. @param lane  index of the event's thread in the lanes */
typedef void (*HieraLaneVisit)(guint lane, const HieraEvent *event, gpointer user);

/* Visit the events of all lanes of this process, in the order of time; events at the same time in the order of
 * lanes. O(operations × log lanes); memory depends on the lanes and their depth only. */
void hiera_lanes_visit(const HieraScope *scope, const HieraTrace *trace, const GArray *lanes, HieraLaneVisit visit,
                       gpointer user);
