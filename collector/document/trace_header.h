/* The header of the trace: rank, job, clock. Called with the lock held. */
#pragma once

#include "write/trace_file.h"

/* Write the header of a trace, or overwrite it with new facts. */
void hiera_trace_put_header(HieraTraceFile *stream);
