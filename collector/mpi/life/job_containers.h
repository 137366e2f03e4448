/* Which ranks share a container for their traces (HIERA_CONTAINER): neighbours among those that see one clock and one
 * folder, that is, of one host. Found once, in MPI_Init. */
#ifndef HIERA_JOB_CONTAINERS_H
#define HIERA_JOB_CONTAINERS_H

#include "job/job.h"
#include "write/companion_files.h"

#include <mpi.h>

/* Form groups of at most `each` ranks. Collective over the members; MPI_COMM_NULL: this process is the only one. */
void hiera_containers_form(MPI_Comm members, const HieraJob *job, int64_t each);

/* The rank by which the container of this process is named; -1: it has a file of its own. */
int hiera_containers_first(void);

/* The containers of all members, on the first member; elsewhere or without containers none. */
HieraFileList hiera_containers_list(void);

/* Make the container, on its first rank; the others open it. Collective over the members. */
void hiera_containers_make(const HieraJob *job);

#endif
