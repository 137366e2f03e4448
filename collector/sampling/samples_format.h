/* The elements of samples, at the end of a trace. */
#ifndef HIERA_SAMPLES_FORMAT_H
#define HIERA_SAMPLES_FORMAT_H

#include "write/trace_file.h"

/* All samples so far. What is declared here is declared again the next time, which overwrites this. */
void hiera_samples_put(HieraTraceFile *stream);

#endif
