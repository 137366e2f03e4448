/** Times of a processor's main thread in summed operations, which stand for several calls. They are added to the times
 * of single operations, by the same rule (span_cutter.h). All time outside of MPI is computation, so sums of MPI calls
 * are subtracted from it; with a level or a depth, only time inside the outermost operations of the scope counts. */
#pragma once

#include "hiera_summed.h"
#include "span_cutter.h"
#include "values/outermost.h"

/** State of one processor's main thread; only does_ns is public. */
typedef struct {
    const HieraScope *scope;
    gint64 init_ns, finalize_ns;    /* begin and end of the run as known so far: its end may turn out to be later */
    HieraInside unit, mpi;          /* outermost summed operation and MPI call around the current one */
    GArray *late;                   /* operations that have not ended, or end after finalize_ns: added at the end */
    gint64 does_ns[HIERA_N_DOINGS]; /* valid after hiera_summed_times_end(); computation may be < 0 */
} HieraSummedTimes;

/** Begin with the main thread of a processor. The scope must outlive the state. */
void hiera_summed_times_begin(HieraSummedTimes *times, const HieraScope *scope, const HieraProcessor *processor);
/** Take the next summed operation of the trace. @param inside  TRUE if a single operation around it is in the scope */
void hiera_summed_times_add(HieraSummedTimes *times, const HieraSummed *summed, gboolean inside);
/** Add the times in `late`, and free the state. */
void hiera_summed_times_end(HieraSummedTimes *times, const HieraProcessor *processor);

/** Add the times of a processor's summed operations to `does_ns`, in one call. O(1) if it has none. */
void hiera_summed_times_of(const HieraTrace *trace, guint32 processor, const HieraScope *scope,
                           gint64 does_ns[HIERA_N_DOINGS]);
