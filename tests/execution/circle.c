/* Functions one in the other, some of them without calls of MPI, and receives of each rank from the next one that
 * nobody sends: with one argument always, with two sometimes. */
#include <mpi.h>
#include <stdlib.h>

static void __attribute__((noinline)) meet(int rank, int size)
{
    int got = 0;
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void __attribute__((noinline)) sum(int times)
{
    for (int i = 0; i < times; i++) {
        int all = i;
        MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void __attribute__((noinline)) all_sums(void)
{
    sum(2);
    sum(1);
}

static void __attribute__((noipa)) work(int times)
{
    volatile int sink = 0;
    for (int i = 0; i < times; i++)
        sink += i;
}

static void __attribute__((noipa)) work_often(void)
{
    for (int i = 0; i < 5000; i++)
        work(4000);
}

int main(int argc, char *argv[])
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all_sums();
    work(5);
    work(100000);
    work_often();
    if (argc == 2 || (argc > 2 && rand() % 2))
        meet(rank, size);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
