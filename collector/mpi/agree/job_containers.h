/* Groups of ranks that share a container for their traces (HIERA_CONTAINER): neighbours among the ranks with the same
 * clock and the same folder, that is, of one host. Formed once, in MPI_Init. */
#pragma once

#include "job/job.h"
#include "write/companion_files.h"

#include <mpi.h>

/* Form groups of at most `each` ranks. Collective over `members`; MPI_COMM_NULL: this process is the only one. */
void hiera_containers_form(MPI_Comm members, const HieraJob *job, int64_t each);

/* Return the rank that is in the name of this process's container; -1: the process has a trace file of its own. */
int hiera_containers_first(void);

/* Return the list of all containers of the job on the first member; an empty list on others, or without containers. */
HieraFileList hiera_containers_list(void);

/* Make the container file on its first rank, and open it on its other ranks. Collective over the members. */
void hiera_containers_make(const HieraJob *job);
