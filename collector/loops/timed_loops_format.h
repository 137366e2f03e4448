/* Writes the times of loops into a trace: element hieraLoops. */
#pragma once

#include "write/trace_file.h"

/* Write the element hieraLoops at the end of a trace. With the lock held; safe in a signal handler. */
void hiera_timed_put(HieraTraceFile *stream);
