/** Dependences: which calls cannot end before which others have begun.
 *
 * A call is an MPI call of a main thread that is inside no other one. It has a start and an end. Its end comes after
 * its start, after the starts of the calls that it depends on, and its start comes after the end of the call before it.
 * A collective in which many depend on many has joins: a join comes after all that it depends on. Calls and joins are
 * nodes: call i is node i, join j is node n_calls + j.
 *
 * Which dependences there are is what waiting.h says, with all operations that a call depends on, not only the last;
 * but a test or a probe in vain depends on nobody, since it returns in any case: sender → receiver; receiver → sender
 * if the receiver came while the sender was in its call; members of collectives; posts, starts, completes and waits of
 * windows. Locks have none, since they are only estimated; calls of further threads have none. Of requests, the call
 * that completes them has the dependences. */
#pragma once

#include "hiera_match.h"

typedef struct {
    const HieraTrace *trace;
    guint32 n_calls, n_joins;
    guint32 *row;                 /* by call; rising. NULL: calls of all processes (shared_window.h) */
    gint64 *start_ns, *finish_ns; /* by call; in order, and inside the run of its processor */
    guint32 *first_call;          /* by processor: its first call; one element more than there are processors */
    guint32 *first_edge;          /* by node; its dependences are from[first_edge[i]] to from[first_edge[i + 1] - 1] */
    guint32 *from;                /* by edge: a call, meaning its start, or a join; HIERA_NONE: see below */
    gint64 *join_ns;              /* by join: the latest start that it depends on; G_MININT64 if there is none */
    guint32 *join_row;            /* by join: the first member of its collective, whose joins follow one another */
    guint32 *order; /* of the ends of all calls, and all joins, as nodes: each one after those that it depends on */
} HieraDependences;

/** Find the dependences of all calls. O(operations + messages + members of collectives) the first time; the match keeps
 * the result and owns it.
 *
 * Those that the recorded times contradict (an end before the start that it depends on, by wrong clocks), and of the
 * others those that close circles, become HIERA_NONE. With the others, the recorded times are reproduced. */
const HieraDependences *hiera_dependences_find(const HieraMatch *match);

/** The same of what one of several processes knows: it has no `order`, and circles are left. */
const HieraDependences *hiera_dependences_find_part(const HieraMatch *match);

/** Return whether a call has a dependence that was left out. */
gboolean hiera_dependences_is_unsure(const HieraDependences *dependences, guint32 call);

/** Return the time of a node that others depend on: the start of a call, or a join. */
static inline gint64 hiera_dependences_time(const HieraDependences *of, guint32 node)
{
    return node < of->n_calls ? of->start_ns[node] : of->join_ns[node - of->n_calls];
}

/** Return the time from which a call did not have to wait any more: the latest start of all that it depends on and its
 * own. */
gint64 hiera_dependences_release(const HieraDependences *dependences, guint32 call);

/** Return the processor of a call. */
static inline guint32 hiera_dependences_processor(const HieraDependences *of, guint32 call)
{
    guint32 low = 0, high = of->trace->n_processors;
    if (of->row)
        return hiera_trace_find_processor(of->trace, of->row[call]);
    while (high - low > 1) {
        guint32 middle = low + (high - low) / 2;
        if (of->first_call[middle] <= call)
            low = middle;
        else
            high = middle;
    }
    return low;
}
