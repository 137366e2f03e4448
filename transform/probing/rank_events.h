/* Passes the events of one rank to a probe script. */
#pragma once

#include "probed_trace.h"

/* Report the events of a rank to the script's state, between its BEGIN and END. */
void hiera_rank_events_tell(HieraProbedTrace *probed, const HieraProcessor *processor, HieraProbeState *state);
