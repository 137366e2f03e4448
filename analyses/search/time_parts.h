/** Parts of the run for which lost time is kept apart: its iterations, or quarters of it if nothing repeats.
 *
 * Iterations are those of the phase with the most time (alike/iterations.h), whatever level, depth or --where is asked
 * for: these narrow what is looked at, not when. What lies outside of them is the last part. Of many iterations, some
 * that follow each other are one part, so that the times of a place take little memory. */
#pragma once

#include "calls/call_paths.h"

enum { HIERA_TIME_PARTS_MAX = 33 }; /* 32 of iterations, and what is outside of them */

typedef struct {
    const HieraTrace *trace;
    guint n;                                   /* parts */
    guint n_iterations;                        /* 0: the parts are quarters, as long as each other */
    gint64 from_ns, to_ns;                     /* the run, in the scope */
    gint64 part_from_ns[HIERA_TIME_PARTS_MAX]; /* when the first rank begins a part, and the last one ends it */
    gint64 part_to_ns[HIERA_TIME_PARTS_MAX];
    GArray *pieces;    /* of time_parts.c */
    guint *first;      /* by processor: index of its first piece; one more at the end */
    gint64 *length_ns; /* by processor, then part: how long the part is on it */
} HieraTimeParts;

/** Divide the time from the first init to the last finalize, as far as it is in the scope. Of several processes all
 * call it: each knows the parts of its own ranks, the one that leads how long they are on all.
 *
 * @param paths  of the scope */
void hiera_time_parts_init(HieraTimeParts *parts, const HieraCallPaths *paths, const HieraScope *scope);
void hiera_time_parts_clear(HieraTimeParts *parts);

/** Add an interval of a processor to the times of the parts, n of them. It lies in the scope. */
void hiera_time_parts_add(const HieraTimeParts *parts, guint32 processor, gint64 begin_ns, gint64 end_ns,
                          gint64 *times_ns);

/** Whether a part lies outside of all iterations. */
gboolean hiera_time_parts_is_outside(const HieraTimeParts *parts, guint part);

/** Return the parts of a group as "iteration 4", "quarters 1-2 4", "outside iterations"; to be freed with g_free.
 *
 * @param of_part  group of each part */
char *hiera_time_parts_name(const HieraTimeParts *parts, const guint8 *of_part, guint8 group);
