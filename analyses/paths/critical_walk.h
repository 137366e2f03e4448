/** The critical path: the chain of operations that sets the run time.
 *
 * It is found backward from the end of the rank that ends last. In a wait, the path goes over to the rank that was
 * waited for, at the same instant. So its segments cover the run from the first init to the last finalize once, without
 * gaps, whatever the clocks. A wait is left at most once; thus the walk ends, in O(waits + processors). */
#ifndef HIERA_CRITICAL_WALK_H
#define HIERA_CRITICAL_WALK_H

#include "waiting/waiting.h"

/** A part of the path on one processor. What lies before its init or after its finalize is skew: the path is on a rank
 * that does not run yet, or by wrong clocks no more. */
typedef struct {
    guint32 processor;
    guint32 next; /* index of the next segment on the same processor, later in time; HIERA_NONE */
    gint64 begin_ns, end_ns;
} HieraPathSegment;

typedef struct {
    GArray *segments; /* HieraPathSegment, the latest first */
    guint32 *first;   /* by processor: index of its earliest segment, HIERA_NONE if the path is never there */
    gint64 begin_ns, end_ns;
} HieraCriticalPath;

/** Find the critical path of the whole run.
 *
 * @param waits  of hiera_waits_find() */
void hiera_critical_path_init(HieraCriticalPath *path, const HieraTrace *trace, const GArray *waits);
void hiera_critical_path_clear(HieraCriticalPath *path);

#endif
