/** Parts of the run for which lost time is kept apart: its iterations, or quarters of the run if nothing repeats.
 *
 * Iterations are those of the phase with the most time (alike/iterations.h), whatever level, depth or --where is asked
 * for: these narrow what is looked at, not when. What lies outside of them is the last part. Of many iterations, some
 * that follow each other are one part, so that the times of a place take little memory. */
#pragma once

#include "calls/call_paths.h"

enum { HIERA_TIME_PARTS_MAX = 33 }; /* 32 parts for iterations, and one for the time outside of them */

typedef struct {
    const HieraTrace *trace;
    guint n;                                   /* number of parts */
    guint n_iterations;                        /* number of iterations; 0: the parts are quarters of the run */
    gint64 from_ns, to_ns;                     /* first init and last finalize of a rank, clipped to the scope */
    gint64 part_from_ns[HIERA_TIME_PARTS_MAX]; /* by part: when the first rank begins it; part_to_ns: when the last one
                                                  ends it */
    gint64 part_to_ns[HIERA_TIME_PARTS_MAX];
    GArray *pieces;    /* Piece of time_parts.c, by processor and time */
    guint *first;      /* by processor, and one more: index of its first piece */
    gint64 *length_ns; /* by processor, then part: how long the processor is in the part */
} HieraTimeParts;

/** Divide the time from the first init to the last finalize, clipped to the scope. With several processes all must call
 * it: each gets the parts of its own ranks, process 0 also their lengths on all ranks.
 *
 * @param paths  of the scope */
void hiera_time_parts_init(HieraTimeParts *parts, const HieraCallPaths *paths, const HieraScope *scope);
void hiera_time_parts_clear(HieraTimeParts *parts);

/** How much of an interval counts: `n` of `of` threads. */
typedef struct {
    gint64 n, of;
} HieraPortion;

/** Add a portion of an interval of a processor to times_ns (one element for each part), divided among the parts that
 * the interval is in. */
void hiera_time_parts_add(const HieraTimeParts *parts, guint32 processor, gint64 begin_ns, gint64 end_ns,
                          HieraPortion portion, gint64 *times_ns);

/** Whether a part is the one for the time outside of all iterations. */
gboolean hiera_time_parts_is_outside(const HieraTimeParts *parts, guint part);

/** Return the name of a group of parts, like "iteration 4", "quarters 1-2 4", "outside iterations"; to be freed with
 * g_free.
 *
 * @param of_part  group of each part */
char *hiera_time_parts_name(const HieraTimeParts *parts, const guint8 *of_part, guint8 group);
