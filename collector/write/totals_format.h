/* Writes the totals of operations that were only counted (hieraFiltered). */
#pragma once

#include "trace_file.h"

/* Write all totals of a file into its tail. */
void hiera_totals_put(HieraTraceFile *stream);

/* Write the attributes that say which regions a row of totals is of: level, or class, and operation. */
void hiera_totals_put_region(HieraTraceFile *stream, const char *level, const char *name);

/* Write totals that are not those of this file. */
void hiera_totals_put_sums(HieraTraceFile *stream, const HieraSums *sums);
