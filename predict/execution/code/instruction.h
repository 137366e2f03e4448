/* Instructions of x86-64 as steps. */
#ifndef HIERA_EXECUTION_INSTRUCTION_H
#define HIERA_EXECUTION_INSTRUCTION_H

#include "image/code/decoder.h"
#include "step.h"

/* Append the steps of an instruction that was just decoded: of x86-64. Of other machines there are none, so that
 * nothing is known. Calls, jumps and returns have none. @return the condition of a branch, HIERA_IF_UNKNOWN of other
 * instructions */
HieraStepCondition hiera_steps_append(const HieraDecoder *decoder, GArray *steps);
/* The first operand of an instruction that was just decoded: the pointer of a call by pointer. */
HieraStepOperand hiera_step_operand(const HieraDecoder *decoder);

#endif
