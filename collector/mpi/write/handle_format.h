/* Writes the names of handles, and declares communicators, datatypes and groups in the trace. */
#pragma once

#include "mpi/call/call_record.h"
#include "mpi/handle/handles.h"
#include "write/trace_file.h"

/* Write the name of the handle that has this number in its class. */
void hiera_format_handle(HieraText *text, HieraHandleClass kind, uint32_t number);

/* Declare the communicators, datatypes and groups that a record refers to, unless the file already has the
 * declarations. `complete`: the record has its tails. */
void hiera_format_declarations(HieraTraceFile *stream, const HieraMpiRecord *record, const HieraMpiCall *call,
                               bool complete);

/* Declare a communicator that an element of filtered calls names, unless the file has its declaration. `note`: remember
 * that the file has it from now on. */
void hiera_format_declare_comm(HieraTraceFile *stream, uint32_t comm, bool note);
