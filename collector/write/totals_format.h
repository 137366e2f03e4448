/* The elements of what was only counted. */
#ifndef HIERA_TOTALS_FORMAT_H
#define HIERA_TOTALS_FORMAT_H

#include "trace_file.h"

/* For the tail of a stream. */
void hiera_totals_put(HieraTraceFile *stream);

#endif
