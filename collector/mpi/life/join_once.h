/* A process joins its job once, in the first MPI call. Until then all MPI functions are marked HIERA_FILTERED_EARLY, so
 * that each call takes the slow path. */
#pragma once

#include "job/launcher_env.h"

/* Whether this MPI gets its rank by PMI. See hiera_launch_read(). */
#ifdef OPEN_MPI
enum { HIERA_MPI_BY_PMI = false };
#else
enum { HIERA_MPI_BY_PMI = true };
#endif

/* Mark all functions as early. */
void hiera_join_load(void);

/* Claim the joining of this process for the caller. Returns false if another call has claimed it. */
bool hiera_join_settle(void);

/* Whether a call has claimed it. */
bool hiera_join_is_settled(void);

/* Return what the launcher of this MPI has set for the process, even if MPI has removed the environment variables. */
HieraLaunch hiera_join_launch(void);
