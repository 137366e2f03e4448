/* The counters proc:cpu/user% etc.: shares of the time of all processors of the machine. */
#pragma once

#include "counter.h"

void hiera_proc_cpu_open(HieraNamedCounter *counter, const char *key);
void hiera_proc_cpu_read(HieraNamedCounter *const *counters, unsigned n, double *values);
void hiera_proc_cpu_each(HieraCounterVisit *visit, void *data);

/* Share of a part in the time since the last reading, in percent. `before` keeps the part, the whole and the share in
 * hundredths of a percent; the old share is returned if no time has passed. All threads may read at the same time. */
double hiera_proc_share(uint64_t before[3], uint64_t part, uint64_t whole);
