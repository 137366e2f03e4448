/* The begin of a trace, or of the section of a thread, that begins later: counts of earlier calls (hieraBefore), then
 * the open regions and the calls that are still needed, as if they were made now, then hieraSince. */
#pragma once

#include "write/trace_file.h"

/* Write the begin of a thread's trace that starts at `since_ns`: open regions and kept calls from before. */
void hiera_prologue_put(HieraTraceFile *stream, const HieraThread *thread, uint64_t since_ns);
