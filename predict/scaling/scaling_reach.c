#include "scaling_reach.h"
#include <math.h>

void reach_add(ReachSums *sums, guint32 from, guint32 to, const guint32 *host, guint32 n_ranks)
{
    guint32 apart = from < to ? to - from : from - to;
    if (!sums->counts)
        sums->counts = g_new0(guint64, (gsize)n_ranks / 2 + 1);
    sums->counts[MIN(apart, n_ranks - apart)]++;
    sums->n++;
    sums->n_inside += host[from] == host[to];
}

void reach_add_call(ReachSums *sums, const guint32 *ranks, guint32 n, const guint32 *host)
{
    gboolean inside = TRUE;
    for (guint32 i = 1; i < n; i++)
        inside &= host[ranks[i]] == host[ranks[0]];
    sums->n++;
    sums->n_inside += inside;
}

gdouble reach_take(const ReachSums *sums, guint32 n_ranks, gdouble *distances)
{
    guint64 below = 0;
    guint32 distance = 0;
    for (guint i = 0; i < REACH_QUANTILES; i++) {
        distances[i] = NAN;
        if (!sums->counts)
            continue;
        while (distance < n_ranks / 2 &&
               below + sums->counts[distance] <= sums->n * (2 * i + 1) / (2 * REACH_QUANTILES))
            below += sums->counts[distance++];
        distances[i] = distance;
    }
    return sums->n > 0 ? (gdouble)sums->n_inside / (gdouble)sums->n : NAN;
}

void reach_clear(ReachSums *sums)
{
    g_free(sums->counts);
    *sums = (ReachSums){0};
}
