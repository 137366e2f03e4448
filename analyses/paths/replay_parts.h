/* What the passes of one process and of several have in common. */
#pragma once

#include "dependences.h"
#include "ordered.h"

/* Return a bit by call: it is the last one of its processor; to be freed with g_free. */
guint64 *hiera_replay_find_last(const HieraDependences *of);

/* Return the run as the simulator takes it, which is valid as long as both. @param last  of hiera_replay_find_last() */
HieraSimOrdered hiera_replay_order(const HieraDependences *of, const guint64 *last);

/* The slack of a node, and bounds of what it depends on; what is behind it is known.
 * @param end  slack of its end, of a call */
static inline void hiera_slack_step(const HieraDependences *of, guint32 node, gint64 end, gint64 *slack)
{
    gint64 at_ns = hiera_dependences_time(of, node);
    if (node < of->n_calls) {
        gint64 release_ns = hiera_dependences_release(of, node);
        slack[node] = MIN(slack[node], hiera_plus(end, hiera_minus(release_ns, at_ns)));
        at_ns = release_ns;
    } else {
        end = slack[node];
    }
    /* It could be later by `end` from `at_ns` on; so what it depends on can begin until then. */
    for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
        guint32 from = of->from[edge];
        if (from != HIERA_NONE)
            slack[from] = MIN(slack[from], hiera_plus(end, hiera_minus(at_ns, hiera_dependences_time(of, from))));
    }
}
