/* Calls MPI until it is killed, and says in a file how far it has come: survive FILE SECONDS THREADS [fork|slow|abort|brief]. `fork`: a child
 * marks regions meanwhile. `brief`: threads end after some calls, and others take their place. `slow`: there is a pause after each round. `abort`: the same,
 * and in the end rank 0 calls MPI_Abort. The file has three numbers
 * for each thread of each rank: calls that have begun, calls that have returned, and the number of the process. */
#include "hiera.h"

#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS_MAX = 8, RANKS_MAX = 8, LONG = 3000 };

typedef struct Progress {
    volatile uint64_t begun, returned, pid;
} Progress;

static Progress *all;
static double until;
static useconds_t pause_us; /* after a round */

#define COUNT(progress, call)                                                                                          \
    do {                                                                                                               \
        (progress)->begun++;                                                                                           \
        call;                                                                                                          \
        (progress)->returned++;                                                                                        \
    } while (0)

/* One round: messages to itself, with long lists now and then, in a communicator that is sometimes a new one. */
static void round_of(Progress *progress, MPI_Comm comm, unsigned i, int tag)
{
    static __thread MPI_Request many[LONG];
    MPI_Request requests[2];
    int from = 0, to = 1, sum = 0;
    HIERA_REGION("app", i % 2 ? "odd" : "even", "i=%u", i);
    COUNT(progress, MPI_Irecv(&from, 1, MPI_INT, 0, tag, comm, &requests[0]));
    COUNT(progress, MPI_Isend(&to, 1, MPI_INT, 0, tag, comm, &requests[1]));
    COUNT(progress, MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    COUNT(progress, MPI_Sendrecv(&to, 1, MPI_INT, 0, tag, &sum, 1, MPI_INT, 0, tag, comm, MPI_STATUS_IGNORE));
    if (i % 977 == 0) {
        for (int k = 0; k < LONG; k++)
            COUNT(progress, MPI_Irecv(&from, 1, MPI_INT, MPI_PROC_NULL, tag, comm, &many[k]));
        COUNT(progress, MPI_Waitall(LONG, many, MPI_STATUSES_IGNORE));
    }
}

static void work(Progress *progress, MPI_Comm parent, int tag)
{
    MPI_Comm comm = parent;
    for (unsigned i = 0; MPI_Wtime() < until; i++) {
        if (i % 500 == 0) {
            if (comm != parent)
                COUNT(progress, MPI_Comm_free(&comm));
            COUNT(progress, MPI_Comm_dup(parent, &comm));
        }
        round_of(progress, comm, i, tag);
        if (pause_us > 0)
            usleep(pause_us);
    }
}

/* A child has the memory of its parent, but what it does is not the parent's. */
static void have_child(void)
{
    pid_t child = fork();
    if (child != 0)
        return;
    for (int i = 0; i < 100000; i++) {
        hiera_begin("app", "of the child", NULL);
        hiera_end();
    }
    exit(0);
}

typedef struct Thread {
    Progress *progress;
    MPI_Comm comm;
    int number;
} Thread;

static void *run(void *argument)
{
    const Thread *thread = argument;
    work(thread->progress, thread->comm, 100 + thread->number);
    return NULL;
}

static void *run_briefly(void *argument)
{
    const Thread *thread = argument;
    for (unsigned i = 0; i < 40; i++)
        round_of(thread->progress, thread->comm, i + 1, 100 + thread->number);
    return NULL;
}

static void *run_others(void *argument)
{
    pthread_t thread;
    while (MPI_Wtime() < until && pthread_create(&thread, NULL, run_briefly, argument) == 0)
        pthread_join(thread, NULL);
    return NULL;
}

int main(int argc, char **argv)
{
    int n_threads = argc > 3 ? atoi(argv[3]) : 0, provided, rank;
    pthread_t threads[THREADS_MAX];
    Thread arguments[THREADS_MAX];
    int fd = argc > 2 ? open(argv[1], O_RDWR | O_CREAT, 0666) : -1;
    if (fd < 0 || n_threads >= THREADS_MAX || ftruncate(fd, RANKS_MAX * THREADS_MAX * sizeof *all) != 0)
        return 2;
    all = mmap(NULL, RANKS_MAX * THREADS_MAX * sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    MPI_Init_thread(NULL, NULL, n_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    until = MPI_Wtime() + atof(argv[2]);
    Progress *mine = all + rank * THREADS_MAX;
    mine->pid = (uint64_t)getpid();
    for (int i = 0; i < n_threads; i++) {
        arguments[i] = (Thread){mine + 1 + i, MPI_COMM_NULL, i};
        COUNT(mine, MPI_Comm_dup(MPI_COMM_SELF, &arguments[i].comm));
        pthread_create(&threads[i], NULL, argc > 4 && strcmp(argv[4], "brief") == 0 ? run_others : run, &arguments[i]);
    }
    if (argc > 4 && strcmp(argv[4], "fork") == 0)
        have_child();
    if (argc > 4 && (strcmp(argv[4], "slow") == 0 || strcmp(argv[4], "abort") == 0))
        pause_us = 300;
    work(mine, MPI_COMM_SELF, 1);
    mine->begun++;
    if (argc > 4 && strcmp(argv[4], "abort") == 0 && rank == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    mine->begun--;
    for (int i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
