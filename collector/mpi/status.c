/* What a status says of a message. */
#include "mpi_level.h"

int64_t hiera_status_read(const MPI_Status *status, int32_t *peer, int32_t *tag)
{
    MPI_Count bytes = -1;
    *peer = status->MPI_SOURCE;
    *tag = status->MPI_TAG;
    if (PMPI_Get_elements_x(status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes == MPI_UNDEFINED)
        return -1;
    return bytes;
}
