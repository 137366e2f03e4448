/* Parts of a communicator, with MPI_ERRORS_RETURN. */
#ifndef HIERA_SPLIT_H
#define HIERA_SPLIT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The ranks of this color, in the order of `rank`; MPI_COMM_NULL for the color MPI_UNDEFINED, or if it fails. */
MPI_Comm hiera_split(MPI_Comm comm, int color, int rank);

/* The ranks with the same key of 64 bits; MPI_COMM_NULL for a rank that does not take part. */
MPI_Comm hiera_split_by_key(MPI_Comm comm, bool takes_part, uint64_t key, int rank);

#endif
