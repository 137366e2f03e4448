/* LTTng-ust as an MPI tracer for the calls of the workload `self`: an event at the begin of each call, with its
 * arguments, and an event at its end. This library is preloaded. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_events.h"

#include <mpi.h>

enum { ISEND, IRECV };

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    lttng_ust_tracepoint(hiera_bench, message, ISEND, count, dest, tag);
    int error = PMPI_Isend(buffer, count, type, dest, tag, comm, request);
    lttng_ust_tracepoint(hiera_bench, end, error);
    return error;
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    lttng_ust_tracepoint(hiera_bench, message, IRECV, count, source, tag);
    int error = PMPI_Irecv(buffer, count, type, source, tag, comm, request);
    lttng_ust_tracepoint(hiera_bench, end, error);
    return error;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    lttng_ust_tracepoint(hiera_bench, wait, 0);
    int error = PMPI_Wait(request, status);
    lttng_ust_tracepoint(hiera_bench, end, error);
    return error;
}
