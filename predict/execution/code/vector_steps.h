/* Translates instructions on whole vector registers into steps. */
#pragma once

#include "image/code/decoder.h"
#include "step.h"

/* Append the steps of an instruction. @return FALSE: it has no whole vector registers, or is not known */
gboolean hiera_vector_steps_append(const cs_insn *raw, GArray *steps);
