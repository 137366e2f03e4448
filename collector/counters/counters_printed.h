/* HIERA_COUNTERS_PRINT: counters printed at intervals, by the helper thread. */
#ifndef HIERA_COUNTERS_PRINTED_H
#define HIERA_COUNTERS_PRINTED_H

/* Begin, if the setting asks for it. */
void hiera_counters_print_load(void);

/* Once more, at the end of the process; not in a signal handler. */
void hiera_counters_print_end(void);

#endif
