/** What Hiera itself costs: estimates from what bench/ measures, since a trace does not say how long recording took. */
#pragma once

#include "hiera_trace.h"

/** Nanoseconds that an operation takes longer because it is recorded, its part of writing the buffer included, and the
 * bytes that it takes in the trace. Medians of bench/README.md, "Collector": of `self` all in, of `regions` in the
 * loop. X(what, full ns, compact ns, full bytes, compact bytes). */
#define HIERA_TRACING_COSTS(X)                                                                                         \
    X(CALL, 142, 94, 189, 33)  /* a call of MPI */                                                                     \
    X(REGION, 79, 58, 136, 33) /* any other operation: its begin and its end */

/** The same of an operation that a filter hides (docs/settings.md, "Filters"). */
enum { HIERA_HIDDEN_COST_NS = 48 };

/** Estimated cost of recording one operation of a call site in nanoseconds. */
gint64 hiera_tracing_cost_ns(const HieraSite *site, gboolean compact);
/** Estimated bytes of one operation of a call site in the trace, before compression. */
gint64 hiera_tracing_cost_bytes(const HieraSite *site, gboolean compact);
