/** The passes of replay.h for several processes, none of which has all calls.
 *
 * A message or a collective moves the calls of other ranks, so a pass is one for all ranks. The run is cut into windows
 * of time, one for each process, which gets the calls in it that depend on others, or on which others depend, and how
 * long a rank needs from one to the next (shared_window.h). All prepare their windows at the same time. The pass itself
 * is short, and goes from window to window: where the ranks are is handed over. What became of the calls is sent to the
 * processes of their ranks; what is between two of them follows from that. */
#pragma once

#include "hiera_measure.h"
#include "replay.h"

/** Return the dependences of the operations that this process has; of a single process, these are all. */
const HieraDependences *hiera_dependences_of_scope(const HieraMatch *match, const HieraScope *scope);

/** As hiera_dependences_of_scope(), with the joins of threads of those regions in which their main thread calls MPI;
 * those of others change nothing for calls. Only hiera_slack_find_shared() knows these.
 *
 * @return NULL if the processors of this process have no such regions */
HieraDependences *hiera_dependences_of_threads(const HieraMatch *match, const HieraScope *scope);

/** As hiera_ideal_run_init(). With several processes all must call it; each gets the calls of its own processors.
 *
 * @param of     of hiera_dependences_of_scope()
 * @param calls  TRUE if the lengths of calls are wanted; else only the ends of processors are found */
void hiera_ideal_run_find(HieraIdealRun *ideal, const HieraDependences *of, const HieraScope *scope, gboolean calls);

/** As hiera_slack_find, also with several processes: all must call it, and each gets the slack of its own calls. */
gint64 *hiera_slack_find_shared(const HieraDependences *of, const HieraScope *scope);
