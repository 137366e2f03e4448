/* Passes the operations of a trace in memory to a sink, as hiera_load() does while it reads files. */
#pragma once

#include "hiera_load.h"

/* Return the operation of a row as a HieraOperation. Its requests belong to the trace. */
HieraOperation hiera_trace_make_operation(const HieraTrace *trace, const HieraProcessor *processor, guint32 row);
/* Pass the operations of one processor to a sink. @return the sink's state, for which `end` has not been called */
gpointer hiera_trace_replay_one(const HieraTrace *trace, const guint8 *chosen, guint32 processor,
                                const HieraSink *sink);
/* Pass all operations to a sink.
 * @param chosen  by row: 0 if --where is false for it; NULL: true for all */
void hiera_trace_replay(const HieraTrace *trace, const guint8 *chosen, const HieraSink *sink);
