/** The forms of the measure imbalance (words of --by) that have files of their own. */
#pragma once

#include "calls/timeline.h"
#include "hiera_measure.h"

extern const HieraMeasure hiera_imbalance_by_rank, hiera_imbalance_by_group, hiera_imbalance_by_plane,
    hiera_imbalance_by_coordinates;

/** Useful time of each thread of each rank in parallel regions. */
extern const HieraMeasure hiera_imbalance_by_region;

/** Return in which region threads of few ranks (at most half of the scope's) compute longer than others, and which
 * threads, like "in parallel a.c:21 thread 1 of rank 3 computes 2.1 times as long as the median of all threads"; to be
 * freed with g_free. NULL: in none for which the overload is least_ns and the longest time 1.5 times the median, and
 * whose longest threads do not stand for several (hiera_thread_places_find). With several processes all must call it;
 * process 0 gets the text. */
char *hiera_imbalance_say_region(const HieraMatch *match, const HieraScope *scope, gint64 least_ns);

/** How much times differ. */
typedef struct {
    gint64 mean_ns, median_ns, max_ns, overload_ns;
} HieraTimeSpread;

/** @param times  n_times of n times, in any order, which is changed; the others are 0. sum_ns is their sum */
HieraTimeSpread hiera_time_spread_find(gint64 *times, guint n_times, guint n, gint64 sum_ns);

/** Return the least time that is as near to the maximum as to the mean. */
static inline gint64 hiera_time_spread_nearer(const HieraTimeSpread *spread)
{
    return spread->max_ns - (spread->max_ns - spread->mean_ns) / 2;
}

/** Say of which threads a form is that is about main threads, and which were not recorded. */
void hiera_imbalance_limit(const HieraTrace *trace, const HieraScope *scope, HieraTable *table);

/** Times in ns of a rank that is in the scope. */
typedef struct {
    guint32 processor;
    gint64 does_ns[HIERA_N_DOINGS], waiting_ns;
    gint64 apart_ns; /* the rank's computation minus the median; 0 until all ranks are known */
} HieraRankDoing;

/** Find the times of the ranks in the scope. With several processes all must call it; process 0 gets all ranks, the
 * others none. @return HieraRankDoing by processor, to be freed with g_array_unref */
GArray *hiera_rank_doings_find(const HieraMatch *match, const HieraScope *scope);
