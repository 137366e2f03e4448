/* Parts of the passes of replay.h, used by one process and by several processes. */
#pragma once

#include "dependences.h"
#include "ordered.h"

/* Return a bit by call: 1 if the call is the last one of its processor; to be freed with g_free. */
guint64 *hiera_replay_find_last(const HieraDependences *of);

/* Return the run in the form of the simulator; it points into both arguments. @param last  of hiera_replay_find_last()
 */
HieraSimOrdered hiera_replay_order(const HieraDependences *of, const guint64 *last);

/* Compute the slack of a node, and lower the slack of the nodes that it depends on; later nodes are already done.
 * @param end  slack of its end, if it is a call */
static inline void hiera_slack_step(const HieraDependences *of, guint32 node, gint64 end, gint64 *slack)
{
    gint64 at_ns = hiera_dependences_time(of, node);
    if (node < of->n_calls) {
        gint64 release_ns = hiera_dependences_release(of, node);
        slack[node] = MIN(slack[node], hiera_plus(end, hiera_minus(release_ns, at_ns)));
        at_ns = release_ns;
    } else {
        end = slack[node];
        guint32 edge = of->first_edge[node];
        if (of->first_edge[node + 1] - edge == 1 && of->from[edge] != HIERA_NONE)
            at_ns = hiera_dependences_time(of, of->from[edge]); /* from there on it takes as long as recorded */
    }
    /* The node may end as late as at_ns + end, so the nodes that it depends on may begin as late as that. */
    for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
        guint32 from = of->from[edge];
        if (from != HIERA_NONE)
            slack[from] = MIN(slack[from], hiera_plus(end, hiera_minus(at_ns, hiera_dependences_time(of, from))));
    }
}
