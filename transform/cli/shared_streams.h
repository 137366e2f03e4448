/* Measures of protocol RANK and JOB get the operations of a trace in memory. Of several processes each hands over those
 * of its own ranks, and process 0 adds up. */
#ifndef HIERA_CLI_SHARED_STREAMS_H
#define HIERA_CLI_SHARED_STREAMS_H

#include "hiera_measure.h"

/* @param streams  HieraStream, of measures that several processes can share; they are finished
 * @param scope    with its own processors, and what --where has chosen */
void shared_streams_replay(const GPtrArray *streams, const HieraTrace *trace, const HieraScope *scope);

#endif
