/* The members of the job agree on the place of shared data: variables and locks of a probe script, decisions of a
 * search. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Return this process's rank among the members if its script shares something, otherwise HIERA_SHARES_NOTHING. The
 * minimum over the members is `first` below. */
#define HIERA_SHARES_NOTHING INT64_MAX
int64_t hiera_share_globals_rank(MPI_Comm members, int size);

/* All members call this together; MPI_COMM_NULL: this process knows no others.
 *
 * @param first       the first member with such a script; HIERA_SHARES_NOTHING: no member has one
 * @param takes_part  the script of this process runs */
void hiera_share_globals(MPI_Comm members, int64_t first, bool takes_part);
