/* Messages, collectives and communicators between ranks of which some run with the collector and some do not. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;

static void around(MPI_Comm comm)
{
    int me, n, sum, from = -1;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, 1, &from, 1, MPI_INT, (me + n - 1) % n, 1, comm, MPI_STATUS_IGNORE);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (from != (me + n - 1) % n || sum != n * (n - 1) / 2)
        printf("rank %d: wrong answer\n", rank);
}

static void communicators(void)
{
    MPI_Comm copy, half, pair, inter, merged, grid, later;
    MPI_Group world, two;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    around(copy);
    MPI_Comm_split(copy, rank % 2, -rank, &half);
    around(half);
    MPI_Comm_idup(half, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    around(later);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){1}, 1, &grid);
    around(grid);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, size - 1 - rank % 2 == size - 1 ? size - 1 : size - 2, 5, &inter);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    around(merged);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, (int[]){0, size - 1}, &two);
    if (rank == 0 || rank == size - 1) {
        MPI_Comm_create_group(MPI_COMM_WORLD, two, 7, &pair);
        around(pair);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    around(MPI_COMM_WORLD);
    communicators();
    if (argc > 1 && strcmp(argv[1], "abort") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Abort(MPI_COMM_WORLD, 6);
    }
    MPI_Finalize();
    if (rank == 0)
        printf("done\n");
    return 0;
}
