/** Passes over the dependences of a run: forward, which simulates it on an ideal network (paths/ordered.h);
 * backward, to the slack. */
#pragma once

#include "dependences.h"

/** The run on an ideal network: computation takes as long as recorded, transfer and MPI's own work take no time.
 * Partners and their order, and senders that waited for their receiver, are kept. MPI-IO and locks take as long as
 * recorded, without the waiting for others. */
typedef struct {
    gint64 *duration_ns; /* by call: its length in the ideal run: waiting for others, and the time of MPI-IO or locks */
    gint64 *finalize_ns; /* by processor: when it ends in the ideal run */
} HieraIdealRun;

/** Assumed times of calls: starts and ends as they would be with recorded lengths of calls but other computation
 * between them. */
typedef struct {
    const gint64 *start_ns, *finish_ns; /* by call: its assumed start and end; in order for the calls of a rank */
    const gint64 *finalize_ns;          /* by processor: its assumed end */
} HieraRunTimes;

/** Simulate the run of all processors. A rank begins at its recorded init, so no rank ends later than recorded.
 * O(edges).
 *
 * @param times  NULL: the recorded times */
void hiera_ideal_run_init(HieraIdealRun *ideal, const HieraDependences *of, const HieraRunTimes *times);
void hiera_ideal_run_clear(HieraIdealRun *ideal);

/** Return by call site whether its calls, after their waiting, take as long on an ideal network as recorded. NULL if
 * none do; otherwise to be freed with g_free */
guint8 *hiera_ideal_find_busy(const HieraTrace *trace);

/** Return how long a call takes on an ideal network after its waiting. @param busy  of hiera_ideal_find_busy() */
gint64 hiera_ideal_busy_ns(const HieraDependences *of, const guint8 *busy, guint32 call);

/** Find how much later each call could start without making the run longer: its latest possible start minus its
 * recorded start. The computation before a call has the slack of this start; the operations in a call have the slack of
 * the start of the next call, which is the slack of its end. After the last call of a processor the slack is the time
 * until the last finalize of all ranks. O(edges).
 *
 * @return by call, never negative; to be freed with g_free */
gint64 *hiera_slack_find(const HieraDependences *of);

/** Return the latest finalize of all processors; G_MININT64: there is no processor. */
gint64 hiera_last_finalize(const HieraTrace *trace);
