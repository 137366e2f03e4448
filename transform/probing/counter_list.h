/* Which counters a trace has values of, as scripts see them. */
#ifndef HIERA_COUNTER_LIST_H
#define HIERA_COUNTER_LIST_H

#include "probed_trace.h"

/* Tell a state the counters of a processor, after all other events of it. */
void hiera_counter_list_tell(const HieraProbedTrace *probed, const HieraProcessor *processor, HieraProbeState *state);

#endif
