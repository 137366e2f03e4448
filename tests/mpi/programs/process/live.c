/* A job that is asked while it runs: live WAY [STEPS]. All ranks sum 100 times; then, by WAY:
 * ring      each rank receives from the next, and nobody sends
 * requests  each rank waits for two messages from the next; one comes to the last rank
 * tests     each rank tests for a message that never comes
 * compute   rank 1 computes, and a thread of it, too; the others wait for it in a barrier
 * leave     rank 0 calls MPI_Finalize, the others wait for it in a barrier
 * slow      a stencil, for ever or so many steps; rank 1 computes ten times as long as the others
 * beside    as slow, and a thread of rank 1 computes, too, which makes no calls
 * threads   two threads of each rank exchange messages for ever */
#include "hiera.h"

#include <mpi.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static void compute(double seconds)
{
    HIERA_REGION("app", "compute", NULL);
    for (double until = MPI_Wtime() + seconds; MPI_Wtime() < until;)
        ;
}

/* As above for others, but without a processor, which the ranks of other tests need. */
static void pass(unsigned milliseconds)
{
    HIERA_REGION("app", "compute", NULL);
    usleep(1000 * milliseconds);
}

static void *spin(void *data)
{
    for (volatile unsigned long i = 0;; i++)
        ;
    return data;
}

/* Compute for ever, with another thread that MPI and Hiera do not know. */
static void compute_twice(void)
{
    pthread_t other;
    pthread_create(&other, NULL, spin, NULL);
    compute(1e9);
}

static void ring(void)
{
    int x;
    MPI_Recv(&x, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void requests(void)
{
    int x[2] = {0};
    MPI_Request both[2];
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&x[i], 1, MPI_INT, (rank + 1) % size, 7 + i, MPI_COMM_WORLD, &both[i]);
    if (rank == 0)
        MPI_Send(&x[0], 1, MPI_INT, size - 1, 7, MPI_COMM_WORLD);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void tests(void)
{
    int x, done = 0;
    MPI_Request request;
    MPI_Irecv(&x, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &request);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static void step(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    double mine = 1, other;
    pass(rank == 1 ? 10 : 1);
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, next, 1, &other, 1, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&mine, &other, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void *exchange(void *data)
{
    int tag = *(int *)data, next = (rank + 1) % size, before = (rank + size - 1) % size, x = 0, y;
    for (unsigned i = 1;; i++) {
        MPI_Sendrecv(&x, 1, MPI_INT, next, tag, &y, 1, MPI_INT, before, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i % 64 == 0)
            usleep(2000);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t other;
    int tags[] = {1, 2};
    pthread_create(&other, NULL, exchange, &tags[1]);
    exchange(&tags[0]);
}

static void *compute_beside(void *nothing)
{
    for (;;) {
        for (volatile int i = 0; i < 1000000; i++)
            ;
        usleep(1000);
    }
    return nothing;
}

static void begin_beside(void)
{
    pthread_t other;
    if (rank == 1)
        pthread_create(&other, NULL, compute_beside, NULL);
}

int main(int argc, char **argv)
{
    int provided, x = 1, y;
    const char *way = argc > 1 ? argv[1] : "";
    int steps = argc > 2 ? atoi(argv[2]) : INT_MAX;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 100; i++)
        MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(way, "ring") == 0)
        ring();
    else if (strcmp(way, "requests") == 0)
        requests();
    else if (strcmp(way, "tests") == 0)
        tests();
    else if (strcmp(way, "threads") == 0)
        threads();
    if (strcmp(way, "beside") == 0)
        begin_beside();
    for (int i = 0; (strcmp(way, "slow") == 0 || strcmp(way, "beside") == 0) && i < steps; i++)
        step();
    if (strcmp(way, "compute") == 0 && rank == 1)
        compute_twice();
    if (rank != 0 || strcmp(way, "leave") != 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
