/* How far the messages of a part go: over how many ranks, as if these stood in a circle, and how many of them stay
 * inside of a host. */
#ifndef HIERA_PREDICT_SCALING_REACH_H
#define HIERA_PREDICT_SCALING_REACH_H

#include <glib.h>

/* Distances are kept as so many quantiles. */
enum { REACH_QUANTILES = 8 };

/* All 0: no messages. */
typedef struct {
    guint64 *counts; /* by distance, up to n_ranks / 2; NULL: no messages */
    guint64 n, n_inside;
} ReachSums;

/* @param from, to  ranks. @param host  by rank. @param n_ranks  always the same */
void reach_add(ReachSums *sums, guint32 from, guint32 to, const guint32 *host, guint32 n_ranks);
/* Likewise of something that is no message, a collective. */
void reach_add_call(ReachSums *sums, const guint32 *ranks, guint32 n, const guint32 *host);
/* @param distances  REACH_QUANTILES of them; NaN without messages. @return the share inside of a host, or NaN */
gdouble reach_take(const ReachSums *sums, guint32 n_ranks, gdouble *distances);
void reach_clear(ReachSums *sums);

#endif
