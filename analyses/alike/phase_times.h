/** How long the iterations of each phase take, and how these times spread.
 *
 * The time of an iteration is the longest time that a rank takes for it. If the computation at its beginning is not
 * known (HieraIteration.cut), the iteration does not count for the spread, unless all are like that. */
#pragma once

#include "iterations.h"
#include "values/distribution.h"

/** An iteration of all ranks. */
typedef struct {
    gint64 start_ns, time_ns; /* least start of a rank; longest time of a rank */
    guint32 slowest, ranks;   /* processor with the longest time; how many have the iteration */
    guint32 cut;              /* how many of them have only its end */
} HieraPhaseTime;

typedef struct {
    HieraIterations all;
    guint *order; /* phases that are shown, the one with most time first */
    guint n_shown;
    HieraPhaseTime *times; /* by phase, then by iteration */
    gsize *first;          /* by phase: where its times begin */
} HieraPhaseTimes;

/** How the times of a phase spread. */
typedef struct {
    HieraDistribution of;
    gint64 drift_ns; /* slope of a line through the times: nanoseconds for an iteration */
} HieraPhaseSpread;

/** Find phases and their times. Of several processes all call it; the times are those of the own ranks, and of the
 * process that leads those of all.
 *
 * @param paths  of the scope */
void hiera_phase_times_init(HieraPhaseTimes *times, const HieraCallPaths *paths, const HieraScope *scope);
void hiera_phase_times_clear(HieraPhaseTimes *times);

/** Return the phase with the most, second most, … time; and the times of its iterations. */
const HieraPhase *hiera_phase_times_peek(const HieraPhaseTimes *times, guint place, const HieraPhaseTime **first);

HieraPhaseSpread hiera_phase_spread_of(const HieraPhaseTime *first, guint n);

/** Whether an iteration is unlike the others of its phase. */
gboolean hiera_phase_is_outlier(const HieraPhaseTime *time, const HieraPhaseSpread *spread);

/** Return the numbers of the iterations that are unlike the others, like "3 17-19"; to be freed with g_free. */
char *hiera_phase_name_outliers(const HieraPhaseTime *first, guint n, const HieraPhaseSpread *spread);
