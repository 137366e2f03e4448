/* The tracepoints of lttng_shim.c, in the form that lttng/tracepoint.h needs (it includes this file several times). */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER hiera_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "lttng_events.h"

#if !defined(HIERA_BENCH_LTTNG_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define HIERA_BENCH_LTTNG_EVENTS_H
#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(hiera_bench, message, LTTNG_UST_TP_ARGS(int, operation, int, count, int, peer, int, tag),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, operation, operation)
                                                   lttng_ust_field_integer(int, count, count)
                                                       lttng_ust_field_integer(int, peer, peer)
                                                           lttng_ust_field_integer(int, tag, tag)))

LTTNG_UST_TRACEPOINT_EVENT(hiera_bench, wait, LTTNG_UST_TP_ARGS(int, unused), LTTNG_UST_TP_FIELDS())

LTTNG_UST_TRACEPOINT_EVENT(hiera_bench, end, LTTNG_UST_TP_ARGS(int, error),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, error, error)))

#endif
#include <lttng/tracepoint-event.h>
