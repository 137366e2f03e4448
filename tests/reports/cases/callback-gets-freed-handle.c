/* source: found from outside, R3
 * ingredient: while MPI_Waitall completes a list, a function of the program starts a request and gets a handle that MPI has just freed
 * expect: calls waitall 4
 * expect: answer grep -o 'operation="waitall"[^>]* requests="[^"]*"' trace0.xml | grep -o ' requests=.*' => ^ requests="1 2"\n requests="4 5"$
 * expect: answer grep 'operation="wait"' trace0.xml | grep -o 'requests="[^"]*"' => ^requests="3"\nrequests="6"$
 * expect: answer hiera-transform --validate . => errors: 0
 */
#include <mpi.h>
#include <stddef.h>

static int values[2];
static MPI_Request again;

static int on_query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Irecv(&values[1], 1, MPI_INT, 0, 2, MPI_COMM_SELF, &again);
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 0;
    status->MPI_TAG = 1;
    return MPI_SUCCESS;
}

static int on_free(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int on_cancel(void *extra, int done)
{
    (void)extra, (void)done;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++) {
        MPI_Request requests[2];
        MPI_Irecv(&values[0], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
        MPI_Grequest_start(on_query, on_free, on_cancel, NULL, &requests[1]);
        MPI_Send(&i, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        MPI_Grequest_complete(requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Send(&i, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
