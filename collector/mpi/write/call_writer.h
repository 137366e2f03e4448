/* Writes records of MPI calls as elements, in the encoding of the trace. For HieraLevelOps. */
#pragma once

#include "write/trace_file.h"

void hiera_call_write(HieraTraceFile *stream, const HieraRecord *record);
