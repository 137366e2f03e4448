/** Delay costs for several processes: each sends its nodes and waits, process 0 distributes those of all, each sends
 * where its ranks spend their time before the waits that they cause or suffer, and process 0 explains the waits by
 * that. */
#pragma once

#include "delays.h"

/** As hiera_delays_find(). With several processes all must call it.
 *
 * @param paths  receives those of all ranks; rows of own processors have nodes. To be cleared by hiera_call_paths_clear
 * @param waits  of hiera_waits_find()
 * @return `times` of own processors; `list` of all ranks in process 0, empty in the others. To be freed with
 * hiera_delays_free */
HieraDelays *hiera_delays_find_together(const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                                        const HieraScope *scope);
