/* See requests.h. Source, tag and size of a message are read from an MPI_Status. */
#include "requests.h"

#include "mpi/call/own_calls.h"

#include <mpi.h>

int64_t hiera_status_read(const MPI_Status *status, int32_t *peer, int32_t *tag)
{
    MPI_Count bytes = -1;
    int few = MPI_UNDEFINED;
    *peer = status->MPI_SOURCE;
    *tag = status->MPI_TAG;
    if (hiera_own.Get_count(status, MPI_BYTE, &few) == MPI_SUCCESS &&
        few != MPI_UNDEFINED) /* PMPI_Get_count takes a quarter of the time of PMPI_Get_elements_x */
        return few;
    if (hiera_own.Get_elements_x(status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes == MPI_UNDEFINED)
        return -1;
    return bytes;
}

/* A cancelled request's status is not read: its other fields are undefined, and MPICH 4.0 does not set them. */
int64_t hiera_status_read_completed(const MPI_Status *status, int32_t *peer, int32_t *tag)
{
    int cancelled = 0;
    if (hiera_own.Test_cancelled(status, &cancelled) == MPI_SUCCESS && cancelled)
        return HIERA_NO_STATUS;
    return hiera_status_read(status, peer, tag);
}
