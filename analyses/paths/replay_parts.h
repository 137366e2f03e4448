/* What takes as long on an ideal network when it does not wait any more. */
#ifndef HIERA_REPLAY_PARTS_H
#define HIERA_REPLAY_PARTS_H

#include "dependences.h"

/* Return by call site whether its calls do. NULL: none do; otherwise to be freed with g_free */
guint8 *hiera_replay_find_keeping(const HieraTrace *trace);
/* Return how long a call takes there. @param keeps  of hiera_replay_find_keeping() */
gint64 hiera_replay_kept(const HieraDependences *of, const guint8 *keeps, guint32 call);

/* Return a bit by call: it is the last one of its processor; to be freed with g_free. */
guint64 *hiera_replay_find_last(const HieraDependences *of);

static inline gboolean hiera_replay_is_last(const guint64 *last, guint32 call)
{
    return (gboolean)(last[call / 64] >> call % 64 & 1);
}

/* Return the latest of a time and those of all nodes that a node depends on. */
static inline gint64 hiera_replay_latest(const HieraDependences *of, guint32 node, const gint64 *times_ns,
                                         gint64 last_ns)
{
    for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
        if (of->from[edge] != HIERA_NONE)
            last_ns = MAX(last_ns, times_ns[of->from[edge]]);
    }
    return last_ns;
}

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

#endif
