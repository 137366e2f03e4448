/* Elements in the tail of a trace that concern the whole process. */
#pragma once

#include "trace_file.h"

/* hieraPause: times in which recording was off. */
void hiera_tail_put_pauses(HieraTraceFile *stream);

/* hieraUnbalanced: begins and ends of regions that do not match, in these threads and in all that have ended. */
void hiera_tail_put_unbalanced(HieraTraceFile *stream, const HieraThread *threads);

/* hieraAggregation: one element for each line of these bytes. */
void hiera_tail_put_aggregations(HieraTraceFile *stream, const char *lines, size_t bytes);
