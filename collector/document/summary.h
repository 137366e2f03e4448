/* Prints the line at the end of a job: folder of the traces and next command (HIERA_SUMMARY). */
#pragma once

#include "write/trace_file.h"

/* Remember the file of standard error. Called when the library is loaded. */
void hiera_run_summary_load(void);

/* Print the line, on the first rank with Hiera, after its trace is written. It does not wait for other ranks, which may
 * still be writing. */
void hiera_run_summary_say(void);

/* After a flush: report once, on the first rank with Hiera, that its trace is long, and what would shorten it. */
void hiera_run_summary_say_long(const HieraTraceFile *file);
