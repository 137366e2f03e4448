/* A library to be preloaded between Hiera and MPI. It raises SIGTERM in the MPI function that RAISE_IN names, when this
 * function is given a request. */
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void raise_in(const char *name, int n, const MPI_Request *all)
{
    const char *wanted = getenv("RAISE_IN");
    int active = 0;
    for (int i = 0; i < n; i++)
        active += all[i] != MPI_REQUEST_NULL;
    if (wanted && strcmp(wanted, name) == 0 && active > 0)
        raise(SIGTERM);
}

#define RAISES(name, n, all, parameters, arguments)                                                                            \
    int PMPI_##name parameters                                                                                         \
    {                                                                                                                  \
        raise_in(#name, n, all);                                                                                       \
        return ((int(*) parameters)dlsym(RTLD_NEXT, "PMPI_" #name))arguments;                                          \
    }

RAISES(Wait, 1, one, (MPI_Request * one, MPI_Status *status), (one, status))
RAISES(Waitall, n, all, (int n, MPI_Request all[], MPI_Status statuses[]), (n, all, statuses))
RAISES(Waitany, n, all, (int n, MPI_Request all[], int *index, MPI_Status *status), (n, all, index, status))
RAISES(Waitsome, n, all, (int n, MPI_Request all[], int *out, int *indices, MPI_Status statuses[]),
       (n, all, out, indices, statuses))
RAISES(Test, 1, one, (MPI_Request * one, int *flag, MPI_Status *status), (one, flag, status))
RAISES(Testall, n, all, (int n, MPI_Request all[], int *flag, MPI_Status statuses[]), (n, all, flag, statuses))
RAISES(Testany, n, all, (int n, MPI_Request all[], int *index, int *flag, MPI_Status *status), (n, all, index, flag, status))
RAISES(Testsome, n, all, (int n, MPI_Request all[], int *out, int *indices, MPI_Status statuses[]),
       (n, all, out, indices, statuses))
RAISES(Request_get_status, 1, &one, (MPI_Request one, int *flag, MPI_Status *status), (one, flag, status))
RAISES(Start, 1, one, (MPI_Request * one), (one))
RAISES(Startall, n, all, (int n, MPI_Request all[]), (n, all))
RAISES(Request_free, 1, one, (MPI_Request * one), (one))
RAISES(Cancel, 1, one, (MPI_Request * one), (one))
