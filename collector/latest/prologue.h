/* What a trace, or the section of a thread, that begins later has first: how much went before (hieraBefore), then the
 * open regions and the calls that are still needed, as if they were made now, then hieraSince. */
#ifndef HIERA_PROLOGUE_H
#define HIERA_PROLOGUE_H

#include "write/trace_file.h"

/* Write it for a thread. `since_ns`: when the trace begins. */
void hiera_prologue_put(HieraTraceFile *stream, const HieraThread *thread, uint64_t since_ns);

#endif
