#include "split.h"

#include "mpi/call/own_calls.h"

#include <limits.h>

MPI_Comm hiera_split(MPI_Comm comm, int color, int rank)
{
    MPI_Comm part = MPI_COMM_NULL;
    if (hiera_own.Comm_split(comm, color, rank, &part) != MPI_SUCCESS)
        return MPI_COMM_NULL;
    if (part != MPI_COMM_NULL)
        hiera_own.Comm_set_errhandler(part, MPI_ERRORS_RETURN);
    return part;
}

/* Split twice, because a color has 31 bits: by the key's low bits, then these parts by its other bits. */
MPI_Comm hiera_split_by_key(MPI_Comm comm, bool takes_part, uint64_t key, int rank)
{
    MPI_Comm alike = hiera_split(comm, takes_part ? (int)(key & INT_MAX) : MPI_UNDEFINED, rank), same = MPI_COMM_NULL;
    if (alike != MPI_COMM_NULL) {
        same = hiera_split(alike, (int)(key >> 31 & INT_MAX), rank);
        hiera_own.Comm_free(&alike);
    }
    return same;
}
