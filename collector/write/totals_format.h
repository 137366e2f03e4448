/* Write the sums of operations that were only counted (hieraFiltered). */
#pragma once

#include "trace_file.h"

/* Write all sums of a file, for its tail. */
void hiera_totals_put(HieraTraceFile *stream);

/* Write the attributes of a sum that identify its region: level, class and operation. */
void hiera_totals_put_region(HieraTraceFile *stream, const char *level, const char *name);

/* Write sums that do not belong to the file. */
void hiera_totals_put_sums(HieraTraceFile *stream, const HieraSums *sums);
