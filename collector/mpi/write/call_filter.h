/* Which MPI calls are recorded: HIERA_FILTER and HIERA_LEVELS. For HieraLevelOps. */
#ifndef HIERA_CALL_FILTER_H
#define HIERA_CALL_FILTER_H

#include "write/trace_file.h"

/* Read the settings. */
void hiera_call_filter_load(void);

/* If a filter hides the call of this record, only add it to the sums of the file, and return true. */
bool hiera_call_filter_hide(HieraTraceFile *stream, const HieraRecord *record);

#endif
