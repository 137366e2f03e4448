/** Passes over the dependences of a run: forward, which simulates it on an ideal network (paths/ordered.h);
 * backward, to the slack. */
#pragma once

#include "dependences.h"

/** The run on an ideal network: computation takes as long as recorded, transfer and MPI's own work take no time.
 * Partners and their order, and senders that waited for their receiver, are kept. MPI-IO and locks take as long as
 * recorded, without the waiting for others. */
typedef struct {
    gint64 *duration_ns; /* by call: what is left of it, waiting for others */
    gint64 *finalize_ns; /* by processor */
} HieraIdealRun;

/** When calls would start and finish if they took as long as recorded, and what is computed between them did not. */
typedef struct {
    const gint64 *start_ns, *finish_ns; /* by call; calls of a rank in order */
    const gint64 *finalize_ns;          /* by processor */
} HieraRunTimes;

/** Simulate the run of all processors. A rank begins at its recorded init, so no rank ends later than recorded.
 * O(edges).
 *
 * @param times  NULL: as recorded */
void hiera_ideal_run_init(HieraIdealRun *ideal, const HieraDependences *of, const HieraRunTimes *times);
void hiera_ideal_run_clear(HieraIdealRun *ideal);

/** Return by call site whether its calls take as long as recorded on an ideal network, behind their waiting. NULL: none
 * do; otherwise to be freed with g_free */
guint8 *hiera_ideal_find_busy(const HieraTrace *trace);

/** Return how long a call takes there behind its waiting. @param busy  of hiera_ideal_find_busy() */
gint64 hiera_ideal_busy_ns(const HieraDependences *of, const guint8 *busy, guint32 call);

/** How much later each call could start without the run taking longer: the latest time of its start less the recorded
 * one. What computes before a call has the slack of this start; what is in a call has that of the start of the next
 * call, which is the slack of its end. Behind the last call of a processor it is the time until the last finalize of
 * all. O(edges).
 *
 * @return by call, never negative; to be freed with g_free */
gint64 *hiera_slack_find(const HieraDependences *of);

/** Return the last finalize of all processors; G_MININT64 if there are none. */
gint64 hiera_last_finalize(const HieraTrace *trace);
