/** Delay costs: how much of the waiting each call path of each rank causes (Böhme et al. 2010, 2016).
 *
 * For a wait w of rank j on rank i: let d_q = max(0, t_i(q) − t_j(q)) be the excess of rank i in path q since the last
 * common synchronization of i and j, and V the waiting of i in that time. Path q has caused w · d_q / (Σ d + V) of w
 * directly. The part w · V / (Σ d + V) is handed back to the causes of the waits of i, and so on: indirectly. What has
 * no cause (no excess, a completion, a further thread) is unexplained. */
#pragma once

#include "delay_list.h"
#include "rank_times.h"

/** The causes of all waits, and what they were found from. */
typedef struct {
    GArray *list;          /* HieraDelay, in no particular order, but always in the same for a trace */
    HieraRankTimes *times; /* by processor: where the rank spent its time */
    guint32 n_processors;
} HieraDelays;

/** Find the causes of waits. The direct, indirect and unexplained times of each wait add up to it exactly.
 *
 * @param paths  of the whole trace; its tree gets nodes for the times before operations
 * @param waits  of hiera_waits_find()
 * @param scope  the waits of these ranks and times are explained, as far as they lie in nodes of `paths` but node 0
 * @return the causes, to be freed with hiera_delays_free */
HieraDelays *hiera_delays_find(const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                               const HieraScope *scope);
void hiera_delays_free(HieraDelays *delays);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraDelays, hiera_delays_free)
