/* Steps on all 16 bytes of vector registers, as lanes of 1 to 8 bytes. */
#ifndef HIERA_EXECUTION_LANES_H
#define HIERA_EXECUTION_LANES_H

#include "state.h"

/* Execute a step of the kind HIERA_STEP_LANES. */
void hiera_lanes_execute(HieraProcessState *state, const HieraStep *step);

#endif
