/* Instructions on whole vector registers as steps. */
#pragma once

#include "image/code/decoder.h"
#include "step.h"

/* Append the steps of an instruction. @return FALSE if it is not on whole vector registers, or not known */
gboolean hiera_vector_steps_append(const cs_insn *raw, GArray *steps);
