/* Translates instructions on whole vector registers into steps. */
#pragma once

#include "image/code/decoder.h"
#include "step.h"

/* Append the steps of an instruction. @return FALSE: it has no whole vector registers, or is not known */
gboolean hiera_vector_steps_append(const cs_insn *raw, GArray *steps);
/* Append a step that clears the upper 16 bytes of a vector register, or, if it is none, of 16 registers. */
void hiera_step_append_clear(GArray *steps, HieraStepOperand place);
/* Whether an instruction on vector registers clears the upper bytes of the one that it writes. */
gboolean hiera_is_vex(const cs_insn *raw);
/* Whether an instruction of AVX-512 writes only what a mask says, or repeats a number of memory in all lanes. */
gboolean hiera_is_masked(const cs_insn *raw);
