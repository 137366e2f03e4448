/* The members of the job agree where that is which they share: variables and locks of a probe script, decisions of a
 * search. */
#ifndef HIERA_SHARE_GLOBALS_H
#define HIERA_SHARE_GLOBALS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Its rank among the members if this process has such a script; HIERA_SHARES_NOTHING if not. The least one is `first`
 * below. */
#define HIERA_SHARES_NOTHING INT64_MAX
int64_t hiera_share_globals_rank(MPI_Comm members, int size);

/* All members call this together; MPI_COMM_NULL: this process knows no others.
 *
 * @param first       the first member with such a script; HIERA_SHARES_NOTHING: nobody has one
 * @param takes_part  the script of this process runs */
void hiera_share_globals(MPI_Comm members, int64_t first, bool takes_part);

#endif
