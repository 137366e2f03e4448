/* The members of the job agree where the variables and locks are that a probe script shares. */
#ifndef HIERA_SHARE_GLOBALS_H
#define HIERA_SHARE_GLOBALS_H

#include <mpi.h>
#include <stdbool.h>

/* All members call this together; MPI_COMM_NULL: this process knows no others.
 *
 * @param takes_part  its script may share */
void hiera_share_globals(MPI_Comm members, bool takes_part);

#endif
