/* Write records of MPI calls as elements, in the encoding of the trace. For HieraLevelOps. */
#ifndef HIERA_CALL_WRITER_H
#define HIERA_CALL_WRITER_H

#include "write/trace_file.h"

void hiera_call_write(HieraTraceFile *stream, const HieraRecord *record);

#endif
