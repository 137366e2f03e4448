/* HIERA_COUNTERS_PRINT: the helper thread prints counters at intervals. */
#pragma once

/* Begin to print, if the setting asks for it. */
void hiera_counters_print_load(void);

/* Print a last time, at the end of the process; not in a signal handler. */
void hiera_counters_print_end(void);
