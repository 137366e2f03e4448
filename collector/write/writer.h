/* Writes the records of a thread's buffer as elements of its trace file. */
#pragma once

#include "trace_file.h"

/* Write the records from `begin` to `end` (both on record boundaries) between hiera_trace_file_begin() and
 * hiera_trace_file_end(). Returns where it stopped: `end`, or, unless `all`, the first MPI call that is still in
 * progress.
 */
const char *hiera_writer_write(HieraTraceFile *stream, const char *begin, const char *end, bool all);

/* These records cannot be written: count their operations as lost, and update the tree of open elements for the records
 * that follow. */
void hiera_writer_skip(HieraTraceFile *stream, const char *begin, const char *end);

/* Look up file and line of the call sites of all records from `begin` to `end`. */
void hiera_writer_name_sites(const char *begin, const char *end);
