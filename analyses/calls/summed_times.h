/** Times of a processor's main thread in summed operations, which stand for several calls. They are added to the times
 * of single operations, by the same rule (span_cutter.h). All time outside of MPI is computation, so sums of MPI calls
 * are subtracted from it; with a level or a depth, only time inside the outermost operations of the scope counts. */
#pragma once

#include "hiera_summed.h"
#include "span_cutter.h"
#include "values/outermost.h"

/** State of one processor; only does_ns is public. */
typedef struct {
    const HieraScope *scope;
    gint64 init_ns, finalize_ns;    /* as known so far: the run may turn out to be longer */
    HieraInside unit, mpi;          /* summed operations that enclose the current one */
    GArray *late;                   /* sums that may extend beyond the known end of the run */
    gint64 does_ns[HIERA_N_DOINGS]; /* valid at the end; computation may be negative */
} HieraSummedTimes;

/** Begin with a processor. The scope must outlive the state. */
void hiera_summed_times_begin(HieraSummedTimes *times, const HieraScope *scope, const HieraProcessor *processor);
/** Take the next summed operation of the trace. @param inside  TRUE if a single operation around it is in the scope */
void hiera_summed_times_add(HieraSummedTimes *times, const HieraSummed *summed, gboolean inside);
/** Add the sums that were kept back, and free the state. */
void hiera_summed_times_end(HieraSummedTimes *times, const HieraProcessor *processor);

/** Do all of this for a processor of a trace: add its times to `does_ns`. O(1) if it has no sums. */
void hiera_summed_times_of(const HieraTrace *trace, guint32 processor, const HieraScope *scope,
                           gint64 does_ns[HIERA_N_DOINGS]);
