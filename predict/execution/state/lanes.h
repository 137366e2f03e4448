/* Steps on all 16 bytes of vector registers, as lanes of 1 to 8 bytes. */
#pragma once

#include "state.h"

/* Execute a step of the kind HIERA_STEP_LANES. */
void hiera_lanes_execute(HieraProcessState *state, const HieraStep *step);
