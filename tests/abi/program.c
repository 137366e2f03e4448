/* The same program for MPICH and for the ABI of MPI 5.0: their traces have to be the same. On three ranks.
 * `fatal`: with an error that ends it; `handled`: with one that it handles. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6 };

static int rank, size;

static void check(int is_so, const char *what)
{
    if (!is_so) {
        fprintf(stderr, "rank %d: %s\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Each rank sends to the next one. */
static void point_to_point(MPI_Comm comm)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, in[N] = {0}, out[N] = {rank}, n = 0, flag = 0;
    MPI_Request requests[2];
    MPI_Status status, statuses[2];
    MPI_Irecv(in, N, MPI_INT, last, 3, comm, &requests[0]);
    MPI_Isend(out, N, MPI_INT, next, 3, comm, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    check(requests[0] == MPI_REQUEST_NULL && statuses[0].MPI_SOURCE == last && in[0] == last, "a message of Isend");
    MPI_Sendrecv(out, 2, MPI_INT, next, 4, in, N, MPI_INT, last, MPI_ANY_TAG, comm, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    check(status.MPI_SOURCE == last && status.MPI_TAG == 4 && n == 2, "the status of Sendrecv");
    MPI_Recv(in, N, MPI_INT, MPI_PROC_NULL, 1, comm, &status);
    check(status.MPI_SOURCE == MPI_PROC_NULL, "the status of no message");
    MPI_Irecv(in, N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
    MPI_Ssend(out, 1, MPI_INT, next, 5, comm);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Send(out, 3, MPI_INT, 1, 6, comm);
    } else if (rank == 1) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        check(status.MPI_SOURCE == 0 && status.MPI_TAG == 6, "the status of Probe");
        MPI_Recv(in, N, MPI_INT, MPI_ANY_SOURCE, 6, comm, &status);
        MPI_Get_count(&status, MPI_INT, &n);
        check(n == 3, "the status of Recv");
    }
    MPI_Irecv(in, N, MPI_INT, last, 7, comm, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &flag);
    check(flag, "a request that was cancelled");
}

static void derived_type(MPI_Comm comm)
{
    MPI_Datatype column;
    double matrix[N][N] = {{rank}};
    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Bcast(matrix, 1, column, 1, comm);
    MPI_Type_free(&column);
    check(matrix[0][0] == 1 && column == MPI_DATATYPE_NULL, "a column");
}

static void collectives(MPI_Comm comm)
{
    int sum = 1, greatest = 0, all[N];
    MPI_Request request;
    MPI_Barrier(comm);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Reduce(&rank, &greatest, 1, MPI_INT, MPI_MAX, 0, comm);
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, size - 1, comm);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm);
    MPI_Iallreduce(&rank, &greatest, 1, MPI_INT, MPI_MAX, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(sum == size && greatest == size - 1 && all[size - 1] == size - 1, "the result of a collective");
}

static void make_error(const char *what)
{
    if (strcmp(what, "handled") == 0)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    else if (strcmp(what, "fatal") != 0)
        return;
    check(MPI_Send(&rank, 1, MPI_INT, size + 1, 0, MPI_COMM_WORLD) != MPI_SUCCESS, "an error");
}

int main(int argc, char **argv)
{
    MPI_Comm half, copy, grid;
    int periodic = 1, before, after, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    check(level >= MPI_THREAD_FUNNELED, "the level of threads");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_error(argv[argc - 1]);
    if (size > 1)
        point_to_point(MPI_COMM_WORLD);
    if (size > 1)
        derived_type(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    collectives(MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &after, 1, MPI_INT, MPI_MAX, half);
    MPI_Comm_dup(half, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &before, &after);
    check(after == (rank + 1) % size, "the grid");
#ifdef MPI_ABI_VERSION
    int major = 0, minor = -1;
    MPI_Abi_get_version(&major, &minor);
    check(major == 1 && minor == 0 && MPI_Comm_fromint(MPI_Comm_toint(grid)) == grid, "the integer of a handle");
#endif
    MPI_Comm_free(&grid);
    MPI_Finalize();
    if (rank == 0)
        puts("done");
    return 0;
}
