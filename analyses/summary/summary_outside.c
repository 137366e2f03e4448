/* Finds operations before MPI_Init and after MPI_Finalize, outside of the run and its shares; see summary.h. */
#include "summary.h"
#include "values/outermost.h"

enum { LEAST_SHARE = 100 }; /* least time outside, as share of the run, for a sentence, in 0.01 % */

/* Return how much of an operation lies before its rank's init or after its finalize, within the scope's times. */
static gint64 time_outside(const HieraSummary *summary, const HieraProcessor *of, guint32 row)
{
    gint64 start_ns = summary->trace->start_ns[row], finish_ns = summary->trace->finish_ns[row];
    gint64 before_ns = hiera_scope_clip(summary->scope, start_ns, MIN(finish_ns, of->init_ns)),
           after_ns = hiera_scope_clip(summary->scope, MAX(start_ns, of->finalize_ns), finish_ns);
    return hiera_plus(MAX(before_ns, 0), MAX(after_ns, 0));
}

/* Add the time of a rank outside its run to the nodes; nested operations are not counted twice.
 * @return the sum for the rank */
static gint64 add_rank(const HieraSummary *summary, const HieraProcessor *of, gint64 *times_ns)
{
    gint64 sum_ns = 0;
    for (guint64 row = of->first; row < of->first + of->n_operations; row++) {
        gint64 time_ns = summary->trace->thread[row] == 0 ? time_outside(summary, of, (guint32)row) : 0;
        if (time_ns == 0)
            continue;
        guint32 node = summary->paths.node[row], parent = hiera_call_tree_peek(summary->paths.tree, node)->parent;
        times_ns[node] = hiera_plus(times_ns[node], time_ns);
        if (summary->trace->depth[row] > 0 && parent != HIERA_NONE)
            times_ns[parent] = hiera_minus(times_ns[parent], time_ns);
        else
            sum_ns = hiera_plus(sum_ns, time_ns);
    }
    return sum_ns;
}

void hiera_summary_find_outside(HieraSummary *summary)
{
    const HieraTrace *trace = summary->trace;
    HieraSummaryNodes *nodes = &summary->nodes;
    for (guint32 i = 0; i < trace->n_processors && !hiera_scope_has_units(summary->scope); i++) {
        if (hiera_scope_accepts_rank(summary->scope, trace->processors[i].rank) &&
            hiera_scope_is_own(summary->scope, i))
            nodes->outside_sum_ns =
                hiera_plus(nodes->outside_sum_ns, add_rank(summary, &trace->processors[i], nodes->outside_ns));
    }
}

void hiera_summary_add_outside(HieraSummary *summary)
{
    const gint64 *times_ns = summary->nodes.outside_ns, sum_ns = summary->nodes.outside_sum_ns;
    guint32 longest = 0;
    for (guint32 node = 0; node < summary->paths.tree->nodes->len; node++)
        longest = times_ns[node] > times_ns[longest] ? node : longest;
    if (!hiera_scope_leads(summary->scope) || sum_ns == 0 || hiera_percent(sum_ns, summary->run_ns) < LEAST_SHARE)
        return;
    hiera_summary_say(summary, HIERA_SUMMARY_TIME, HIERA_SAY_SECOND, "",
                      "%s more lie before MPI_Init or after MPI_Finalize and count in no share, most in %s: %s",
                      hiera_summary_time(summary, sum_ns), hiera_summary_place(summary, longest),
                      hiera_summary_time(summary, times_ns[longest]));
}
