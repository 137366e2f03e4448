/* The elements for samples, at the end of a trace. */
#ifndef HIERA_SAMPLES_FORMAT_H
#define HIERA_SAMPLES_FORMAT_H

#include "write/trace_file.h"

/* Write all samples so far. Declarations made here are made again by the next flush, which overwrites this text. */
void hiera_samples_put(HieraTraceFile *stream);

#endif
