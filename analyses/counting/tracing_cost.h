/** Estimates of what recording costs, from measurements (bench/), because a trace does not say how long it took. */
#pragma once

#include "hiera_trace.h"

/** Time in ns that recording adds to an operation, including its share of writing the buffer, and its
 * size in the trace in bytes. Medians of bench/README.md, "Collector": of `self` all in, of `regions` in the
 * loop. X(kind, full ns, compact ns, full bytes, compact bytes). */
#define HIERA_TRACING_COSTS(X)                                                                                         \
    X(CALL, 142, 94, 189, 33)  /* an MPI call */                                                                       \
    X(REGION, 79, 58, 136, 33) /* any other operation: both its begin and its end */

/** Time in ns that Hiera takes for an operation which a filter removes (docs/settings.md, "Filters"). */
enum { HIERA_FILTERED_COST_NS = 48 };

/** Return the estimated cost of recording one operation of a call site, in nanoseconds. */
gint64 hiera_tracing_cost_ns(const HieraSite *site, gboolean compact);
/** Return the estimated size of one operation of a call site in the trace, before compression, in bytes. */
gint64 hiera_tracing_cost_bytes(const HieraSite *site, gboolean compact);
