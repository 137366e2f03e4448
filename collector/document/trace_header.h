/* The begin of the trace: the tag processor with rank, job and clock. Called with the lock held. */
#pragma once

#include "write/trace_file.h"

/* Write the header of a trace, or overwrite it with what is known since: rank, clock, end of the job. */
void hiera_trace_put_header(HieraTraceFile *stream);
