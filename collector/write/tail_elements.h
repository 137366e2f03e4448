/* Writes elements in the tail of a trace that concern the whole process. */
#pragma once

#include "trace_file.h"

/* Write hieraPause for each pause of recording. */
void hiera_tail_put_pauses(HieraTraceFile *stream);

/* Write hieraUnbalanced for each note on begins and ends that do not match, of these and of all ended threads. */
void hiera_tail_put_unbalanced(HieraTraceFile *stream, const HieraThread *threads);

/* Write one hieraAggregation for each line of `lines`, which has `bytes` bytes. */
void hiera_tail_put_aggregations(HieraTraceFile *stream, const char *lines, size_t bytes);
