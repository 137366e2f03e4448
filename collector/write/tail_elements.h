/* Elements of the tail of a trace that tell of the whole process. */
#ifndef HIERA_TAIL_ELEMENTS_H
#define HIERA_TAIL_ELEMENTS_H

#include "trace_file.h"

/* hieraPause: when recording was off. */
void hiera_tail_put_pauses(HieraTraceFile *stream);

/* hieraUnbalanced: begins and ends that do not fit, of these threads and all that have ended. */
void hiera_tail_put_unbalanced(HieraTraceFile *stream, const HieraThread *threads);

#endif
