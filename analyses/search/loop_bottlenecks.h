/** The last level of the search for bottlenecks: functions and loops with exact times (HIERA_LOOPS). */
#pragma once

#include "bottleneck_search.h"

/** Test functions, and the loops in those that take much of the run, from the outermost inward; do nothing if no
 * function was timed.
 *
 * @param timed      HieraTimed: exact times of the trace
 * @param threshold  in hundredths of a percent */
void hiera_loop_bottlenecks_search(const HieraTrace *trace, const GArray *timed, const HieraScope *scope,
                                   gint64 threshold, HieraTable *table, HieraTestedVisit visit, gpointer user);
