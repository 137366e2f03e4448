/* The events of one rank, as scripts see them. */
#ifndef HIERA_RANK_EVENTS_H
#define HIERA_RANK_EVENTS_H

#include "probed_trace.h"

/* Tell a state the events of a processor, between BEGIN and END. */
void hiera_rank_events_tell(HieraProbedTrace *probed, const HieraProcessor *processor, HieraProbeState *state);

#endif
