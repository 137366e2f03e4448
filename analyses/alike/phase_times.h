/** How long the iterations of each phase take, and how these times spread.
 *
 * The time of an iteration is the longest time of a rank. If the computation at its beginning is not known
 * (HieraIteration.cut), the iteration does not count for the spread, unless all are like that. */
#pragma once

#include "iterations.h"
#include "values/distribution.h"

/** Time of one iteration, merged over all ranks. */
typedef struct {
    gint64 start_ns, time_ns; /* earliest start on any rank; longest time on any rank */
    guint32 slowest, ranks;   /* processor with the longest time; number of ranks that have the iteration */
    guint32 cut; /* number of ranks on which the begin of the iteration is not known (HieraIteration.cut) */
} HieraPhaseTime;

typedef struct {
    HieraIterations all;
    guint *order; /* indices of the shown phases, by time, longest first */
    guint n_shown;
    HieraPhaseTime *times; /* by phase and number of the iteration */
    gsize *first;          /* by phase: index in `times` of its first iteration */
} HieraPhaseTimes;

/** How the times of a phase's iterations are distributed. */
typedef struct {
    HieraDistribution of;
    gint64 drift_ns; /* slope of the line fitted to the times, in ns per iteration */
} HieraPhaseSpread;

/** Find phases and their times. With several processes all must call it; each gets the times of its own ranks, process
 * 0 those of all.
 *
 * @param paths  of the scope */
void hiera_phase_times_init(HieraPhaseTimes *times, const HieraCallPaths *paths, const HieraScope *scope);
void hiera_phase_times_clear(HieraPhaseTimes *times);

/** Return the phase with the most (`place` 0), second most, … time; `first` becomes the time of its first iteration. */
const HieraPhase *hiera_phase_times_peek(const HieraPhaseTimes *times, guint place, const HieraPhaseTime **first);

HieraPhaseSpread hiera_phase_spread_of(const HieraPhaseTime *first, guint n);

/** Return the numbers of the iterations that are outliers, from 1, like "3 17-19"; to be freed with g_free. */
char *hiera_phase_name_outliers(const HieraPhaseTime *first, guint n, const HieraPhaseSpread *spread);
