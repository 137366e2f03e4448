/** What the main thread of a processor does in operations that stand for several calls: what they add to the times of
 * single operations, by the same rule (span_cutter.h). Time outside of MPI is all that is not in MPI, so sums of MPI
 * calls take it away; with a level or a depth, only what is in the outermost operations of these counts. */
#pragma once

#include "hiera_summed.h"
#include "span_cutter.h"
#include "values/outermost.h"

/** State of one processor; only does_ns is public. */
typedef struct {
    const HieraScope *scope;
    gint64 init_ns, finalize_ns;    /* as far as they are known: the run may turn out to be longer */
    HieraInside unit, mpi;          /* the operations with sums that enclose the current one */
    GArray *late;                   /* sums that lie near the end of the run */
    gint64 does_ns[HIERA_N_DOINGS]; /* once all has ended; what computes may be negative */
} HieraSummedTimes;

/** Begin with a processor. The scope must outlive the state. */
void hiera_summed_times_begin(HieraSummedTimes *times, const HieraScope *scope, const HieraProcessor *processor);
/** Take the next one in the document. @param inside  a single operation around it is in the scope */
void hiera_summed_times_add(HieraSummedTimes *times, const HieraSummed *summed, gboolean inside);
/** Add what is late, and free what the state holds. */
void hiera_summed_times_end(HieraSummedTimes *times, const HieraProcessor *processor);

/** The same at once, for a processor of a trace: add its times to `does_ns`. O(1) where nothing is summed up. */
void hiera_summed_times_of(const HieraTrace *trace, guint32 processor, const HieraScope *scope,
                           gint64 does_ns[HIERA_N_DOINGS]);
