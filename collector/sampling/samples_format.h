/* Writes the elements for samples at the end of a trace. */
#pragma once

#include "write/trace_file.h"

/* Write all samples so far. Their declarations count as not made, because the next flush overwrites this text. */
void hiera_samples_put(HieraTraceFile *stream);
