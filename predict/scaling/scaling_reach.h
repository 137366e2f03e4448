/* Distances of the messages of a part, in ranks, as if the ranks formed a circle; and the share of messages within a
 * host. */
#pragma once

#include <glib.h>

/* Number of quantiles that describe the distances. */
enum { REACH_QUANTILES = 8 };

/* Sums over messages; all 0: no messages. */
typedef struct {
    guint64 *counts; /* number of messages by distance, up to n_ranks / 2; NULL: no messages */
    guint64 n, n_inside;
} ReachSums;

/* Add a message. @param from, to  ranks. @param host  by rank. @param n_ranks  always the same */
void reach_add(ReachSums *sums, guint32 from, guint32 to, const guint32 *host, guint32 n_ranks);
/* Add a collective, which has no distance. */
void reach_add_call(ReachSums *sums, const guint32 *ranks, guint32 n, const guint32 *host);
/* @param distances  receives REACH_QUANTILES distances; NaN without messages. @return the share within a host, or NaN
 */
gdouble reach_take(const ReachSums *sums, guint32 n_ranks, gdouble *distances);
void reach_clear(ReachSums *sums);
