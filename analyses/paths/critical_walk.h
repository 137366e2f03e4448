/** The critical path: the chain of operations that sets the run time.
 *
 * It is found backward from the end of the rank that ends last. In a wait, the path goes over to the rank that was
 * waited for, at the same instant. Where a rank has several threads, it is that of the main thread for which the path
 * comes that way: what this waits for meanwhile, when the path is on others, does not count. So its segments cover the
 * run from the first init to the last finalize once, without gaps, whatever the clocks. A wait is left at most once;
 * thus the walk ends, in O(waits + processors). */
#pragma once

#include "waiting/waiting.h"

/** A part of the path on one processor. The part before the processor's init or after its finalize is skew: the path is
 * on a rank that does not run yet or, because of wrong clocks, has already ended. */
typedef struct {
    guint32 processor;
    guint32 next; /* index of the next later segment on the same processor; HIERA_NONE: there is none */
    gint64 begin_ns, end_ns;
} HieraPathSegment;

typedef struct {
    GArray *segments; /* HieraPathSegment, the latest one first */
    guint32 *first;   /* by processor: index of its earliest segment; HIERA_NONE: the path is never on it */
    gint64 begin_ns, end_ns;
} HieraCriticalPath;

/** A wait for another processor: at its end the path, followed back in time, changes to the other processor. Or, if
 * both are the same, a time in which the path is on other threads than the main thread: it comes from that at the
 * begin. */
typedef struct {
    guint32 processor, causer; /* the waiting processor, and the processor that it waits for */
    gint64 begin_ns, end_ns;   /* begin and end of the wait, clipped to the run of the waiting processor */
} HieraPathStep;

/** Return the steps (HieraPathStep) of this process's own processors, in the order of time in each; to be freed with
 * g_array_unref.
 *
 * @param waits  of hiera_waits_find() */
GArray *hiera_path_steps_find(const HieraMatch *match, const GArray *waits, const HieraScope *scope);

/** Find the critical path of the whole run. @param steps  of all processors; the steps of one processor are contiguous
 */
void hiera_critical_path_follow(HieraCriticalPath *path, const HieraTrace *trace, const GArray *steps);

/** Begin an empty path, for hiera_critical_path_add, which is called with the latest segment first. */
void hiera_critical_path_begin(HieraCriticalPath *path, const HieraTrace *trace);
void hiera_critical_path_add(HieraCriticalPath *path, guint32 processor, gint64 begin_ns, gint64 end_ns);
void hiera_critical_path_clear(HieraCriticalPath *path);
