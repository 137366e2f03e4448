/* A process joins its job once, by whichever call comes first. Until then each MPI function is marked, so that a call
 * takes its slow path; afterwards none does. */
#ifndef HIERA_JOIN_ONCE_H
#define HIERA_JOIN_ONCE_H

#include "job/launcher_env.h"

/* How this MPI learns its rank: hiera_launch_read(). */
#ifdef OPEN_MPI
enum { HIERA_MPI_BY_PMI = false };
#else
enum { HIERA_MPI_BY_PMI = true };
#endif

/* Mark the functions. */
void hiera_join_load(void);

/* This process joins by the caller. False if it joined already. */
bool hiera_join_settle(void);

bool hiera_join_is_settled(void);

/* What the launcher of this MPI tells, though MPI itself may have taken it back. */
HieraLaunch hiera_join_launch(void);

#endif
