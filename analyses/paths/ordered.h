/** Simulating a parallel run on the ideal network, when it is known which calls depend on which: operations with
 * dependences in, times out. Messages, and MPI's own work, take no time there; calls only wait.
 *
 * What hiera_simulate() finds out from event to event (which message a receive takes, who comes last) is given here as
 * dependences, in an order that respects them. So one pass is enough, without a queue: some nanoseconds for each call.
 * It also has an answer for runs that would not end, if the dependences in doubt are left out. Where both mean the same
 * they have the same times.
 *
 * All times are in one unit, which is the caller's. */
#pragma once

#include <glib.h>

/** A time that is not known because it does not fit. It stays so, whatever is added or taken away. The same as
 * HIERA_TOO_LARGE of hiera_trace.h, whose sums go on with it. */
#define HIERA_SIM_TOO_LARGE G_MAXINT64

/** A call has a start, and an end, which comes after its start and after the times of all nodes that it depends on. The
 * calls of a rank follow one another; a rank computes between two. A join is a time: the latest of all that it depends
 * on. Call i is node i, join j is node n_calls + j. The time of a call that others depend on is its start. */
typedef struct {
    guint32 n_calls, n_joins;
    const gint64 *start, *finish; /* by call, as recorded, say. What counts is from the finish of a call to the start of
                                     the next one of its rank: the rank computes so long */
    const guint64 *last;          /* a bit by call: it is the last one of its rank */
    const guint32 *first_edge;    /* by node; it depends on from[first_edge[i]] to from[first_edge[i + 1] - 1] */
    const guint32 *from;          /* by edge: a node; G_MAXUINT32: none, the dependence is left out */
    const guint32 *order;         /* all nodes: each behind the joins that it depends on, behind the calls before those
                                     that it depends on (whose ends are their starts), and behind the call before it */
    guint32 n_open;               /* nodes from this one on have their times already */
    /** Return how long a call takes behind its waiting, which is not MPI's own work: input and output, say. NULL: no
     * call does. */
    gint64 (*busy)(gconstpointer context, guint32 call);
    gconstpointer context;
} HieraSimOrdered;

/** Whether a call is the last one of its rank. */
static inline gboolean hiera_sim_is_last(const guint64 *last, guint32 call)
{
    return (gboolean)(last[call / 64] >> call % 64 & 1);
}

/** Run it. O(nodes + edges), without other memory.
 *
 * @param time      by node: becomes the start of each call, and the time of each join. That of the first call of each
 *                  rank must be there, and those of the nodes that are not open
 * @param duration  by call: becomes the time from its start to its end */
void hiera_sim_run_ordered(const HieraSimOrdered *run, gint64 *time, gint64 *duration);
