/* Ends a probe script in MPI_Finalize. */
#pragma once

#include <mpi.h>

/* End the script, and print the aggregated results of all ranks of `members`; collective over them. MPI_COMM_NULL:
 * print the results of this rank. */
void hiera_observed_end(MPI_Comm members);
