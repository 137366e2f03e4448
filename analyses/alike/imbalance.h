/** The forms of the measure imbalance (words of --by) that have files of their own. */
#pragma once

#include "calls/timeline.h"
#include "hiera_measure.h"

extern const HieraMeasure hiera_imbalance_by_rank, hiera_imbalance_by_group, hiera_imbalance_by_plane,
    hiera_imbalance_by_coordinates;

/** Times in ns of a rank that is in the scope. */
typedef struct {
    guint32 processor;
    gint64 does_ns[HIERA_N_DOINGS], waiting_ns;
    gint64 apart_ns; /* the rank's computation minus the median; 0 until all ranks are known */
} HieraRankDoing;

/** Find the times of the ranks in the scope. With several processes all must call it; process 0 gets all ranks, the
 * others none. @return HieraRankDoing by processor, to be freed with g_array_unref */
GArray *hiera_rank_doings_find(const HieraMatch *match, const HieraScope *scope);
