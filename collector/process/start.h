/* The start of the collector in a process, and in the process's job. */
#pragma once

#include "job/job.h"

#include <stdbool.h>

/* Read settings and start the clock, once. Called by the constructor of the library, or by a hook that runs earlier. */
void hiera_start_load(void);

/* Called after MPI_Init: open the trace and install signal handlers. Returns 0 or the errno of opening the trace.
 *
 * @param together  called if all members of the job join now: lets them wait for each other; or NULL */
int hiera_start_join(const HieraJob *job, void (*together)(void));
