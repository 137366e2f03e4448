/* The elements for samples, at the end of a trace. */
#pragma once

#include "write/trace_file.h"

/* Write all samples so far. Declarations made here are made again by the next flush, which overwrites this text. */
void hiera_samples_put(HieraTraceFile *stream);
