/** The passes of replay.h for several processes, none of which has all calls.
 *
 * A message or a collective moves the calls of other ranks, so one pass covers all ranks. The run is cut into windows
 * of time, one for each process. A process receives the calls in its window that depend on other calls, or that others
 * depend on, and how long a rank needs from one to the next (shared_window.h). All prepare their windows at the same
 * time. The pass itself is short, and goes from window to window: the current times of the ranks are handed over. The
 * results of calls are sent back to the processes of their ranks; results between two nodes follow from those. */
#ifndef HIERA_SHARED_REPLAY_H
#define HIERA_SHARED_REPLAY_H

#include "hiera_measure.h"
#include "replay.h"

/** Return the dependences that this process knows; if it is the only process, these are all. */
const HieraDependences *hiera_dependences_of_scope(const HieraMatch *match, const HieraScope *scope);

/** As hiera_ideal_run_init(). With several processes all must call it; each gets the calls of its own processors.
 *
 * @param of     of hiera_dependences_of_scope()
 * @param calls  TRUE if the lengths of calls are wanted; else only the ends of processors are found */
void hiera_ideal_run_find(HieraIdealRun *ideal, const HieraDependences *of, const HieraScope *scope, gboolean calls);

/** As hiera_slack_find(). With several processes all must call it; each gets the calls of its own processors. */
gint64 *hiera_slack_find_shared(const HieraDependences *of, const HieraScope *scope);

#endif
