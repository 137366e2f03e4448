/* Functions that split communicators; the new ones have the error handler MPI_ERRORS_RETURN. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Return the communicator of the ranks with this color, in the order of `rank`; MPI_COMM_NULL for the color
 * MPI_UNDEFINED, or if it fails. */
MPI_Comm hiera_split(MPI_Comm comm, int color, int rank);

/* Return the communicator of the ranks with the same 64-bit key; MPI_COMM_NULL if this rank does not take part. */
MPI_Comm hiera_split_by_key(MPI_Comm comm, bool takes_part, uint64_t key, int rank);
