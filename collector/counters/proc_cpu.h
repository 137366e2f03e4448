/* Shares of the time of all processors of the machine: proc:cpu/user%. */
#ifndef HIERA_PROC_CPU_H
#define HIERA_PROC_CPU_H

#include "counter.h"

void hiera_proc_cpu_open(HieraNamedCounter *counter, const char *key);
void hiera_proc_cpu_read(HieraNamedCounter *const *counters, unsigned n, double *values);
void hiera_proc_cpu_each(HieraCounterVisit *visit, void *data);

/* The share of a part in what has passed since the last reading, in percent: `before` has the part and the whole of
 * then, and the share in hundredths of a percent, which still holds if no time has passed. All threads may read at the
 * same time. */
double hiera_proc_share(uint64_t before[3], uint64_t part, uint64_t whole);

#endif
