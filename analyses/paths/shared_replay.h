/** The passes of replay.h for several processes, of which none has all calls.
 *
 * A message or a collective moves the calls of other ranks, so a pass is one for all ranks. The process that leads gets
 * the calls that depend on others, or on which others depend, and how long a rank needs from one to the next; it makes
 * the pass, and tells each what became of them. What is between two of them follows from that. */
#ifndef HIERA_SHARED_REPLAY_H
#define HIERA_SHARED_REPLAY_H

#include "hiera_measure.h"
#include "replay.h"

/** The dependences that this process knows, of one process all of them. */
const HieraDependences *hiera_dependences_of_scope(const HieraMatch *match, const HieraScope *scope);

/** As hiera_ideal_run_init(). Of several processes all call it; of calls, each gets those of its own processors.
 *
 * @param of     of hiera_dependences_of_scope()
 * @param calls  whether calls are asked for; else only the ends of processors */
void hiera_ideal_run_find(HieraIdealRun *ideal, const HieraDependences *of, const HieraScope *scope, gboolean calls);

/** As hiera_slack_find(); likewise. */
gint64 *hiera_slack_find_shared(const HieraDependences *of, const HieraScope *scope);

#endif
