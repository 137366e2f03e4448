/** Simulation of a parallel run on the ideal network when the dependences between calls are known: input are operations
 * with dependences, output are times. Messages and MPI's own work take no time there; calls only wait.
 *
 * hiera_simulate() finds out event by event which message a receive takes and who comes last; here this is given as
 * dependences, in an order that respects them. So one pass is enough, without a queue: some nanoseconds for each call.
 * It also has an answer for runs that would not end, if the doubtful dependences are left out. Where both simulations
 * apply they give the same times.
 *
 * All times are in one unit, which is the caller's. */
#pragma once

#include <glib.h>

/** A time that is unknown because it does not fit into 64 bits; it stays so whatever is added or subtracted. Equal to
 * HIERA_TOO_LARGE of hiera_trace.h, so sums there treat it alike. */
#define HIERA_SIM_TOO_LARGE G_MAXINT64

/** A call has a start, and an end, which comes after its start and after the times of all nodes that it depends on. The
 * calls of a rank follow one another; a rank computes between two. A join is a time: the latest of all that it depends
 * on. Call i is node i, join j is node n_calls + j. The time of a call that others depend on is its start. */
typedef struct {
    guint32 n_calls, n_joins;
    const gint64 *start, *finish; /* by call, for example as recorded. Only the time from the finish of a call to the
                                   * start of the next one of its rank matters: the rank computes so long */
    const guint64 *last;          /* bit by call: 1 if the call is the last one of its rank */
    const guint32 *first_edge;    /* by node: it depends on from[first_edge[i]] to from[first_edge[i + 1] - 1] */
    const guint32 *from;          /* by edge: node that is depended on; G_MAXUINT32: the dependence is left out */
    const guint32 *order; /* all nodes: each after the joins that it depends on, after the calls that precede those
                           * calls that it depends on (their ends are the starts that count), and after the previous
                           * call of its rank */
    guint32 n_open;       /* number of nodes whose time is computed; nodes from this one on have their time already */
    /** Return how long a call takes after its waiting, other than MPI's own work: for example input and output. NULL if
     * no call takes such time. */
    gint64 (*busy)(gconstpointer context, guint32 call);
    gconstpointer context;
} HieraSimOrdered;

/** Whether a call is the last one of its rank. @param last  bit by call */
static inline gboolean hiera_sim_is_last(const guint64 *last, guint32 call)
{
    return (gboolean)(last[call / 64] >> call % 64 & 1);
}

/** Run the simulation. O(nodes + edges), allocates no memory.
 *
 * @param time      by node: receives the start of each call and the time of each join. The caller has set it for the
 *                  first call of each rank and for the nodes from n_open on
 * @param duration  by call: receives the time from its start to its end */
void hiera_sim_run_ordered(const HieraSimOrdered *run, gint64 *time, gint64 *duration);
