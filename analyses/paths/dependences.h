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
 * that completes them has the dependences.
 *
 * Threads of OpenMP have joins, too (thread_stops.h): a join that depends on one node alone comes as long after that as
 * recorded. Where the main thread comes to one, or waits for it, is a call that is none of MPI: a stop. */
#pragma once

#include "hiera_match.h"

typedef struct {
    const HieraTrace *trace;
    guint32 n_calls, n_joins;
    guint32 *row; /* by call: its row, rising; of a stop that of the call before. NULL if the calls are those of all
                     processes (shared_window.h) */
    gint64 *start_ns, *finish_ns; /* by call: its times, clipped to the run of its processor, in order */
    guint32 *first_call;          /* by processor, and one more: its first call */
    guint32 *first_edge;          /* by node: its dependences are from[first_edge[i]] to from[first_edge[i + 1] - 1] */
    guint32 *from; /* by edge: node that is depended on: start of a call, or a join. HIERA_NONE: left out, see below */
    gint64 *join_ns;   /* by join: latest start of a call that the join depends on; G_MININT64: none */
    guint32 *join_row; /* by join: row of its collective's first member. Joins of one collective follow each other */
    guint64 *stops;    /* bit by call: 1 if it is a stop; NULL: there are none */
    guint32 *order;    /* all nodes (for a call: its end), each after those that it depends on */
} HieraDependences;

/** Find the dependences of all calls. O(operations + messages + members of collectives) the first time; the match keeps
 * the result and owns it.
 *
 * Dependences that the recorded times contradict (an end before the start that it depends on, because of wrong clocks),
 * and then those that close circles, become HIERA_NONE. The remaining ones reproduce the recorded times. */
const HieraDependences *hiera_dependences_find(const HieraMatch *match);

/** As hiera_dependences_find, of the operations that one of several processes has; without `order`. */
const HieraDependences *hiera_dependences_find_part(const HieraMatch *match);

/** Free what the match does not own. */
void hiera_dependences_free(HieraDependences *dependences);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraDependences, hiera_dependences_free)

/** Return the last call of MPI before a call, of which there is one. */
static inline guint32 hiera_dependences_before(const HieraDependences *of, guint32 call)
{
    do
        call--;
    while (of->stops && of->stops[call / 64] >> call % 64 & 1);
    return call;
}

/** Whether a dependence of a call was left out (HIERA_NONE in `from`). */
gboolean hiera_dependences_is_unsure(const HieraDependences *dependences, guint32 call);

/** Return the time of a node for the nodes that depend on it: the start of a call, or the time of a join. */
static inline gint64 hiera_dependences_time(const HieraDependences *of, guint32 node)
{
    return node < of->n_calls ? of->start_ns[node] : of->join_ns[node - of->n_calls];
}

/** Return the time from which a call no longer had to wait: the latest of its own start and the starts that it depends
 * on. */
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
