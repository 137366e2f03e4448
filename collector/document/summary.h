/* Prints a line at the end of a job: the folder of the traces and the next command (HIERA_SUMMARY). */
#pragma once

#include "write/trace_file.h"

/* Remember which file standard error is, to print only there. Called when the library is loaded. */
void hiera_run_summary_load(void);

/* Print the line, on the first rank with Hiera, after its trace is written. It does not wait for other ranks, which may
 * still be writing. */
void hiera_run_summary_say(void);

/* After a flush: tell the user once, on the first rank with Hiera, that its trace is long, and how to shorten it. */
void hiera_run_summary_say_long(const HieraTraceFile *file);
