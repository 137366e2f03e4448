/* The job of docs/matching.md that hangs. After half a second rank 0 does what `timeout` does there after five, so that
 * no test waits that long. */
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

static void end(int number)
{
    (void)number;
    kill(getppid(), SIGTERM); /* mpirun, which passes it on */
}

int main(int argc, char **argv)
{
    int rank, n = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGALRM, rank == 0 ? end : SIG_IGN);
    ualarm(500000, 0);
#line 8
    if (rank == 0) {
        MPI_Irecv(&n, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else
        MPI_Send(&n, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
