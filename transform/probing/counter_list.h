/* The counters of which a trace has values, for probe scripts. */
#pragma once

#include "probed_trace.h"

/* Report the counters of a rank to a probe state, after all its other events. */
void hiera_counter_list_tell(const HieraProbedTrace *probed, const HieraProcessor *processor, HieraProbeState *state);
