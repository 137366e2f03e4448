/* The counters proc:energy/package-0 etc.: energy of processors and memory, if the kernel counts it (powercap). */
#pragma once

#include "counter.h"

void hiera_proc_energy_open(HieraNamedCounter *counter, const char *zone);
void hiera_proc_energy_read(HieraNamedCounter *const *counters, unsigned n, double *values);
void hiera_proc_energy_each(HieraCounterVisit *visit, void *data);

/* Continue the count when the kernel's number wraps around at `range`: `total` is the count so far, `now` the kernel's
 * number. An older number, from another thread, changes nothing. */
uint64_t hiera_energy_go_on(uint64_t *total, uint64_t now, uint64_t range);
