/* The end of a probe script in MPI_Finalize. */
#ifndef HIERA_TOLD_END_H
#define HIERA_TOLD_END_H

#include <mpi.h>

/* End the script, and print what all ranks of `members` have aggregated; collective over them. MPI_COMM_NULL: print
 * what this rank has. */
void hiera_told_end(MPI_Comm members);

#endif
