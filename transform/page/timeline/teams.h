/* Waiting of the threads of OpenMP, as the timeline hatches it: barriers, acquire X, taskwait and taskgroup, less what
 * runs inside; and the time from the last thing that a thread does in a parallel region to the region's end. */
#pragma once

#include "hiera_measure.h"

/* Add the waiting of operations of the level openmp, within the scope's times, to that of all operations. A thread that
 * opened a region waits at its end, in `parallel`. Another thread waits behind its implicit task, or the last task
 * after that: the operation has the waiting, but is over by then.
 * @param waiting  by row, in ns */
void hiera_teams_add_waits(const HieraTrace *trace, const HieraScope *scope, gint64 *waiting);
