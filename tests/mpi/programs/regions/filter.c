/* The same calls in every run, so that filtered calls can be compared with the totals. Arguments: "threads": three more
 * threads with calls of their own; "kill N", "abort N": N rounds, then the end; "many N": N regions and
 * communicators. */
#include <hiera.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20, THREADS = 3, LARGE = 5000 };

static int rank, size;
static char out[LARGE], in[LARGE];

/* Each rank sends `n` bytes to the next rank. */
static void ring(MPI_Comm comm, int n, int tag)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Request requests[2];
    MPI_Irecv(in, LARGE, MPI_CHAR, from, tag, comm, &requests[0]);
    MPI_Isend(out, n, MPI_CHAR, to, tag, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Irecv(in, LARGE, MPI_CHAR, MPI_ANY_SOURCE, tag, comm, &requests[0]);
    MPI_Send(out, n / 2, MPI_CHAR, to, tag, comm);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, n, MPI_CHAR, to, tag, in, LARGE, MPI_CHAR, from, tag, comm, MPI_STATUS_IGNORE);
}

static void round_of(int i, MPI_Comm twin)
{
    int value = i, sum;
    hiera_begin("app", "round", "i=%d", i);
    hiera_begin("oops", "Group::sum", NULL);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, i % 2 ? MPI_COMM_WORLD : twin);
    hiera_end();
    hiera_begin("solver", "exchange", NULL);
    ring(MPI_COMM_WORLD, 10 * (i + 1), i);
    hiera_begin("app", "far", NULL);
    ring(twin, i % 5 == 0 ? LARGE : 100, i);
    hiera_end();
    hiera_end();
    MPI_Bcast(out, 8 * i, MPI_CHAR, i % size, twin);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allgather(&value, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_SELF);
    hiera_end();
}

static void *work(void *argument)
{
    MPI_Comm *comm = argument;
    int value = 1, got;
    for (int i = 0; i < 50; i++) {
        hiera_begin("app", "work", NULL);
        MPI_Sendrecv(&value, 1, MPI_INT, 0, i, &got, 1, MPI_INT, 0, i, *comm, MPI_STATUS_IGNORE);
        MPI_Type_size(MPI_INT, &got);
        hiera_end();
    }
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[THREADS];
    MPI_Comm comms[THREADS];
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &comms[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
}

static void run_many(int n)
{
    char name[32];
    MPI_Comm comm;
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "region %d", i);
        hiera_begin("app", name, NULL);
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
        hiera_end();
    }
    MPI_Finalize();
    exit(0);
}

static void run_to_the_end(const char *how, int n)
{
    int value;
    hiera_begin("app", "last", NULL);
    for (int i = 0; i < n; i++) {
        MPI_Type_size(MPI_INT, &value);
        MPI_Comm_test_inter(MPI_COMM_SELF, &value);
    }
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    abort();
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Comm twin;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2 && strcmp(argv[1], "many") == 0)
        run_many(atoi(argv[2]));
    if (argc > 2)
        run_to_the_end(argv[1], atoi(argv[2]));
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_set_name(twin, "the twin");
    for (int i = 0; i < ROUNDS; i++)
        round_of(i, twin);
    if (argc > 1 && provided == MPI_THREAD_MULTIPLE)
        run_threads();
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
