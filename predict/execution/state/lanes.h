/* Executes steps on all 16 bytes of vector registers, by lanes (elements of 1 to 8 bytes). */
#pragma once

#include "state.h"

/* Execute a step of the kind HIERA_STEP_LANES: one of HieraLanes. */
void hiera_lanes_execute(HieraProcessState *state, const HieraStep *step);
