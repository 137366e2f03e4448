/* The program of docs/tutorial.md: it relaxes the rows of a field in steps, 10 or as many as its argument says. It has
 * a fault, which the tutorial finds and mends. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 150, VECTOR = 8 };

/* How many rows a rank has: as many as the others have, in whole vectors. */
static int rows_of(int rank, int size)
{
    int each = ROWS / size / VECTOR * VECTOR;
    return rank < size - 1 ? each : ROWS - each * (size - 1);
}

/* Hand the outermost rows to the neighbours. */
static void exchange(int rank, int size, const double own[2], double others[2])
{
    MPI_Request requests[4];
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Irecv(&others[0], 1, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&others[1], 1, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&own[0], 1, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&own[1], 1, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* A row takes half a millisecond. It sleeps, so that times are the same on every machine. */
static double relax(int rows)
{
    usleep(500 * (useconds_t)rows);
    return rows;
}

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 10;
    double edge[2] = {0, 0}, halo[2], sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++) {
        exchange(rank, size, edge, halo);
        double change = relax(rows_of(rank, size));
        MPI_Allreduce(&change, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%d steps, %g rows\n", steps, sum);
    MPI_Finalize();
    return 0;
}
