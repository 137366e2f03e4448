/* A process joins its job once, in the first MPI call. Until then all MPI functions are marked HIERA_FILTERED_EARLY, so
 * that each call takes the slow path. */
#pragma once

#include "job/launcher_env.h"

/* Whether this MPI's launcher tells a process its rank by PMI, for hiera_launch_read(). */
#ifdef OPEN_MPI
enum { HIERA_MPI_BY_PMI = false };
#else
enum { HIERA_MPI_BY_PMI = true };
#endif

/* Give all MPI functions the flag HIERA_FILTERED_EARLY, so that the first call joins the process to its job. */
void hiera_join_load(void);

/* Claim for the caller the task of joining this process to its job. Returns false if another call has claimed it. */
bool hiera_join_settle(void);

/* Whether some call has claimed the task of joining this process to its job. */
bool hiera_join_is_settled(void);

/* Return what the launcher of this MPI has set in the environment, even if MPI has removed these variables. */
HieraLaunch hiera_join_launch(void);
