/* Lanes: the threads of all processors, which viewers draw one below the other; and their events as one sequence in the
 * order of time, as formats want it that are read once from the start to the end. */
#ifndef HIERA_EXPORT_LANES_H
#define HIERA_EXPORT_LANES_H

#include "export_events.h"
#include "hiera_measure.h"

typedef struct {
    guint32 processor, thread;
    guint64 first, n_operations; /* of those of the processor, from 0 */
} HieraExportLane;

/* Of several processes all call these. */

/* The lanes of a trace: processor after processor, its main thread first, also if it has no operations; also of those
 * that other processes have.
 * @return HieraExportLane, to be freed with g_array_unref */
GArray *hiera_lanes_new(const HieraScope *scope, const HieraTrace *trace);

/* The first and the last time that an export shows: of operations, and init and finalize of processors. */
void hiera_lanes_find_span(const HieraScope *scope, const HieraTrace *trace, gint64 *first_ns, gint64 *last_ns);

/* What to add to all times for a format that has no negative ones: nothing unless the first time is negative. */
gint64 hiera_lanes_shift(gint64 first_ns);

/* Called with an event and the index of its lane. */
typedef void (*HieraLaneVisit)(guint lane, const HieraEvent *event, gpointer user);

/* Visit the events of all lanes that this process has, in the order of time; events at the same time in that of the
 * lanes. O(operations × log lanes); memory grows with the lanes and their depth alone. */
void hiera_lanes_visit(const HieraScope *scope, const HieraTrace *trace, const GArray *lanes, HieraLaneVisit visit,
                       gpointer user);

#endif
