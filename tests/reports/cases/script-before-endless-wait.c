/* source: found from outside, R3
 * ingredient: a slow probe script at the begin of an MPI_Waitall that a signal ends
 * mpi: openmpi
 * run: hiera-run --probe='call::[begin]::waitall { print("waits"); print("for"); print("long"); print(&rank); }' mpirun -n 2 ./app
 * expect: other output
 * expect: findings
 * expect: answer grep -o 'operation="waitall"[^>]* requests="[^"]*"' trace0.xml | grep -o ' requests=.*' => ^ requests="1 2"$
 */
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

static void stop(int number)
{
    (void)number;
    raise(SIGTERM);
}

int main(int argc, char **argv)
{
    int rank, values[2];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
    signal(SIGALRM, stop);
    alarm(1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return 0;
}
