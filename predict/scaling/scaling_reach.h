/* Distances of the messages of a part, in ranks, as if the ranks formed a circle; and the share of messages within a
 * host. */
#pragma once

#include <glib.h>

/* Number of quantiles by which distances of messages are described. */
enum { REACH_QUANTILES = 8 };

/* Numbers of messages or collectives of a part; all 0: none. */
typedef struct {
    guint64 *counts; /* by distance between sender and receiver, 0 … n_ranks / 2: number of messages; NULL: none */
    guint64 n, n_inside;
} ReachSums;

/* Add a message. @param host  by rank: index of its host. @param n_ranks  number of all ranks, the same in each call */
void reach_add(ReachSums *sums, guint32 from, guint32 to, const guint32 *host, guint32 n_ranks);
/* Add a collective of n ranks: it counts as within a host if one host has all of them; it has no distance. */
void reach_add_call(ReachSums *sums, const guint32 *ranks, guint32 n, const guint32 *host);
/* @param distances  receives REACH_QUANTILES distances; NaN without messages. @return the share within a host, or NaN
 */
gdouble reach_take(const ReachSums *sums, guint32 n_ranks, gdouble *distances);
void reach_clear(ReachSums *sums);
