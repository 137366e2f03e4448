/* Translates x86-64 instructions into steps, which can be executed for each simulated process. */
#pragma once

#include "image/code/decoder.h"
#include "step.h"

/* Append the steps of the x86-64 instruction that was just decoded. Other machines have no steps, so nothing is known
 * about their values. Calls, jumps and returns have none. @return the condition of a branch; HIERA_IF_UNKNOWN for other
 * instructions */
HieraStepCondition hiera_steps_append(const HieraDecoder *decoder, GArray *steps);
/* Return the first operand of the instruction that was just decoded; of a call through a pointer: where the pointer is.
 */
HieraStepOperand hiera_step_operand(const HieraDecoder *decoder);
