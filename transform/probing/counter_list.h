/* Tells probe scripts which counters a rank's operations have values of. */
#pragma once

#include "probed_trace.h"

/* Report the counters of a rank to the script's state, after all other events of the rank. */
void hiera_counter_list_tell(const HieraProbedTrace *probed, const HieraProcessor *processor, HieraProbeState *state);
