/* The program of the examples in these documents. In each step a rank computes, hands a message to its right
 * neighbour and takes part in a sum. Higher ranks compute longer, so that the others wait for them. */
#include <hiera.h>
#include <mpi.h>
#include <unistd.h>

/* It sleeps, so that its times are the same on every machine. */
static void compute(int rank)
{
    HIERA_REGION("app", "compute", "rank=%d", rank); /* a region up to the end of this block */
    usleep(10000 * (unsigned)(rank + 1));
}

static void exchange(int rank, int size)
{
    HIERA_REGION("app", "exchange", NULL);
    int from_left;
    MPI_Request request;
    MPI_Irecv(&from_left, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double own = 1, sum;
    for (int step = 0; step < 3; step++) {
        HIERA_REGION("app", "step", "step=%d", step);
        compute(rank);
        exchange(rank, size);
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
