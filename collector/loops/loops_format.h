/* The times of loops in a trace: element hieraLoops. */
#ifndef HIERA_LOOPS_FORMAT_H
#define HIERA_LOOPS_FORMAT_H

#include "write/trace_file.h"

/* Write them at the end of a trace. With the lock held; safe in a signal handler. */
void hiera_loops_put(HieraTraceFile *stream);

#endif
