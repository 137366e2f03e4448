/* Puts the clocks of different hosts on one time axis: they are compared after MPI_Init and again before MPI_Finalize.
 *
 * Times are those of CLOCK_MONOTONIC. Processes read the same clock if they have the same boot of the same kernel and
 * the same time namespace. */
#pragma once

#include "base/clock.h"

#include <mpi.h>

/* Return the earliest start of all recording ranks, on this rank's clock. *fit becomes the comparison with the clock
 * of rank 0 of `comm` (without fit->last). Collective over `comm`, which should have MPI_ERRORS_RETURN and is not
 * needed afterwards. If all recording ranks read one clock, this takes one reduction. `scale`: as in HieraClockFit.
 * *least: becomes the minimum over all ranks, in the same reduction. */
int64_t hiera_clock_sync_start(MPI_Comm comm, int64_t scale, bool records, int64_t *least, HieraClockFit *fit);

/* Return a fit that only identifies this process's clock, without a comparison with another clock. */
HieraClockFit hiera_clock_sync_alone(int64_t scale);

/* Compare the clocks again: set fit->last, and make fit->first more exact. Collective over the same ranks. If the start
 * found one clock, this does nothing on any rank. Returns whether the fit has changed. */
bool hiera_clock_sync_finish(HieraClockFit *fit);
