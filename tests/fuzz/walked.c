/* A program for the fuzz driver of executables: what processes walk through. It has the MPI functions that it needs by
 * itself, with handles like those of MPICH: damaged programs are not run, so nothing stands behind these names. */
#include <stdlib.h>
#include <string.h>

enum { WORLD = 0x44000000, DOUBLE = 0x4c00080b, INT = 0x4c000405, SUM = 0x58000003, MOST = 64 };

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Comm_rank(int comm, int *rank);
int MPI_Comm_size(int comm, int *size);
int MPI_Send(const void *buffer, int count, int type, int to, int tag, int comm);
int MPI_Recv(void *buffer, int count, int type, int from, int tag, int comm, int *status);
int MPI_Isend(const void *buffer, int count, int type, int to, int tag, int comm, int *request);
int MPI_Irecv(void *buffer, int count, int type, int from, int tag, int comm, int *request);
int MPI_Waitall(int count, int *requests, int *statuses);
int MPI_Allreduce(const void *from, void *to, int count, int type, int operation, int comm);
int MPI_Bcast(void *buffer, int count, int type, int root, int comm);

typedef struct {
    int size, kind;
    double sum, values[MOST];
} Work;

static const int sizes[] = {3, 10, 25, 64};

__attribute__((noinline)) static double compute(Work *work, int from)
{
    for (int i = from; i < work->size; i++) {
        for (int j = 0; j < i; j++)
            work->values[i] += 0.5 * work->values[j];
    }
    for (long i = 0; i < 100000; i++)
        work->sum += 1e-3;
    return work->sum;
}

__attribute__((noinline)) static int choose(int kind)
{
    switch (kind) {
    case 0:
        return 12;
    case 1:
        return sizes[1];
    case 2:
        return -3;
    case 3:
        return sizes[kind];
    case 4:
        return 77;
    default:
        return kind * 2;
    }
}

static void exchange(Work *work, int rank, int size)
{
    int requests[2];
    double right[MOST];
    MPI_Irecv(right, work->size, DOUBLE, (rank + size - 1) % size, 1, WORLD, &requests[0]);
    MPI_Isend(work->values, work->size, DOUBLE, (rank + 1) % size, 1, WORLD, &requests[1]);
    MPI_Waitall(2, requests, (int *)1);
    memcpy(work->values, right, (size_t)work->size * sizeof(double));
}

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 5;
    double all;
    Work *work = calloc(1, sizeof(Work));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    work->size = sizes[rank & 3];
    if (rank == 0) {
        for (int to = 1; to < size; to++) {
            int order = choose(to);
            MPI_Send(&order, 1, INT, to, 2, WORLD);
        }
    } else {
        MPI_Recv(&work->kind, 1, INT, 0, 2, WORLD, (int *)1);
    }
    MPI_Bcast(&steps, 1, INT, 0, WORLD);
    for (int step = 0; step < steps; step++) {
        compute(work, step);
        exchange(work, rank, size);
    }
    MPI_Allreduce(&work->sum, &all, 1, DOUBLE, SUM, WORLD);
    MPI_Finalize();
    int good = all > 1 && choose(work->kind) > 0;
    free(work);
    return good;
}
