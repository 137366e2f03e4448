/* Executes steps. */
#ifndef HIERA_EXECUTION_EXECUTE_H
#define HIERA_EXECUTION_EXECUTE_H

#include "state.h"

void hiera_state_execute(HieraProcessState *state, const HieraStep *steps, guint n);

#endif
