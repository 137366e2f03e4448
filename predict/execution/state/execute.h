/* Executes steps (effects of instructions) on the state of a process. */
#pragma once

#include "state.h"

void hiera_state_execute(HieraProcessState *state, const HieraStep *steps, guint n);
