/** The forms of the measure imbalance that have a file of their own. */
#pragma once

#include "calls/timeline.h"
#include "hiera_measure.h"

extern const HieraMeasure hiera_imbalance_by_rank, hiera_imbalance_by_group, hiera_imbalance_by_plane,
    hiera_imbalance_by_coordinates;

/** What a rank does in the scope, in nanoseconds. */
typedef struct {
    guint32 processor;
    gint64 does_ns[HIERA_N_DOINGS], waiting_ns;
    gint64 apart_ns; /* useful time less that of the others; 0 at first */
} HieraRankDoing;

/** Find what the ranks in the scope do. Of several processes all call it; the one that leads gets all ranks, the others
 * none. @return HieraRankDoing by processor, to be freed with g_array_unref */
GArray *hiera_rank_doings_find(const HieraMatch *match, const HieraScope *scope);

/** Return the median of n values, by nearest rank, of which those in the array are the only ones above 0.
 *
 * @param values  n_values of them, at most n; their order is changed */
gint64 hiera_median_with_zeros(gint64 *values, guint n_values, guint n);
