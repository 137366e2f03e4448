/* The clocks of different hosts on one axis: measured at the start of MPI and again at its end.
 *
 * Times are those of CLOCK_MONOTONIC, which is one clock for all processes of one boot of one kernel in one time
 * namespace. */
#ifndef HIERA_CLOCK_SYNC_H
#define HIERA_CLOCK_SYNC_H

#include "base/clock.h"

#include <mpi.h>

/* The earliest start of those ranks that record, on this rank's clock; and how this clock stands to that of rank 0 of
 * `comm` (fit without fit->last). Collective over `comm`, which is not kept and should return errors: one reduction
 * where all who record have one clock. `scale`: as in HieraClockFit. */
int64_t hiera_clock_sync_start(MPI_Comm comm, int64_t scale, bool records, HieraClockFit *fit);

/* Nothing is compared: only which clock it is. */
HieraClockFit hiera_clock_sync_alone(int64_t scale);

/* Compare again: fit->last, and fit->first made more exact. Collective over the same ranks; does nothing, on all of
 * them alike, where the start found one clock. Returns whether the fit has changed. */
bool hiera_clock_sync_finish(HieraClockFit *fit);

#endif
