/* HIERA_COUNTERS_PRINT: the helper thread prints the counters of a list at intervals. */
#pragma once

/* Begin to print counters at intervals, if HIERA_COUNTERS_PRINT is set. */
void hiera_counters_print_load(void);

/* Print the counters a last time, at the end of the process; not in a signal handler. */
void hiera_counters_print_end(void);
