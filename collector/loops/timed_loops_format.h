/* The times of loops in a trace: element hieraLoops. */
#ifndef HIERA_TIMED_LOOPS_FORMAT_H
#define HIERA_TIMED_LOOPS_FORMAT_H

#include "write/trace_file.h"

/* Write the element at the end of a trace. With the lock held; safe in a signal handler. */
void hiera_timed_put(HieraTraceFile *stream);

#endif
