/* The end of a probe script in MPI_Finalize. */
#ifndef HIERA_TOLD_END_H
#define HIERA_TOLD_END_H

#include <mpi.h>

/* End the script, and print the aggregated results of all ranks of `members`; collective over them. MPI_COMM_NULL:
 * print the results of this rank. */
void hiera_told_end(MPI_Comm members);

#endif
