/* Hands the operations of a trace in memory to a measure that takes them one by one. If there are several processes,
 * each does so for its own ranks, and process 0 adds up. */
#pragma once

#include "hiera_measure.h"

/* @param stream  of a measure that several processes can share; it is finished here
 * @param scope   with the processors of this process, and the operations that --where has chosen */
void shared_stream_replay(HieraStream *stream, const HieraTrace *trace, const HieraScope *scope);
