/* Each rank is told numbers in many ways, and repeats a loop as often as they say; it prints how often.
 * usage: exchanges N */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static int rank, size;

__attribute__((noinline)) static int spin(int n)
{
    volatile int sink = 0;
    for (int i = 0; i < n; i++)
        sink += i;
    return sink;
}

static int collectives(int n)
{
    int all[MOST], mine, sum, most, before;
    double real, reals;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        all[i] = n + i;
    MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Scan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    real = rank * 0.5;
    MPI_Allreduce(&real, &reals, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    return sum + most + before + (int)(2 * reals) + all[size - 1];
}

static int neighbours(void)
{
    int dimensions[2] = {0, 0}, periods[2] = {1, 0}, left, right, up, down, got[4] = {0, 0, 0, 0}, coordinates[2],
        number;
    MPI_Comm grid;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Dims_create(size, 2, dimensions);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 0, &grid);
    MPI_Comm_rank(grid, &number);
    MPI_Cart_coords(grid, number, 2, coordinates);
    MPI_Cart_shift(grid, 0, 1, &left, &right);
    MPI_Cart_shift(grid, 1, 1, &up, &down);
    MPI_Irecv(&got[0], 1, MPI_INT, left, 1, grid, &requests[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, up, 2, grid, &requests[1]);
    MPI_Isend(&number, 1, MPI_INT, right, 1, grid, &requests[2]);
    MPI_Isend(&number, 1, MPI_INT, down, 2, grid, &requests[3]);
    MPI_Waitall(4, requests, statuses);
    MPI_Sendrecv(&number, 1, MPI_INT, left, 3, &got[2], 1, MPI_INT, right, 3, grid, MPI_STATUS_IGNORE);
    MPI_Comm_free(&grid);
    return 100 * got[0] + 10 * got[1] + got[2] + coordinates[0] + 3 * coordinates[1];
}

/* Rank 0 answers in the order in which it is asked. */
static int any_source(void)
{
    int number = 7 * rank, answer = 0, sum = 0;
    MPI_Status status;
    if (rank != 0) {
        MPI_Send(&number, 1, MPI_INT, 0, 10 + rank, MPI_COMM_WORLD);
        MPI_Recv(&answer, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &status);
        return answer;
    }
    for (int i = 1; i < size; i++) {
        int n;
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &n);
        answer = number + 1000 * n + status.MPI_TAG;
        sum += number;
        MPI_Send(&answer, 1, MPI_INT, status.MPI_SOURCE, 4, MPI_COMM_WORLD);
    }
    return sum;
}

static int halves(void)
{
    MPI_Comm half;
    MPI_Request request;
    int number, n, got = 0, index;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &number);
    MPI_Comm_size(half, &n);
    if (n == 1)
        return number;
    MPI_Recv_init(&got, 1, MPI_INT, (number + 1) % n, 5, half, &request);
    for (int i = 0; i < 3; i++) {
        int sent = rank + i;
        MPI_Start(&request);
        MPI_Ssend(&sent, 1, MPI_INT, (number + n - 1) % n, 5, half);
        MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    return 20 * got + number;
}

int main(int argc, char **argv)
{
    int n = 0, times;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && argc > 1)
        n = atoi(argv[1]);
    times = collectives(n) + neighbours() + any_source() + halves();
    spin(times);
    printf("%d %d\n", rank, times);
    MPI_Finalize();
    return 0;
}
