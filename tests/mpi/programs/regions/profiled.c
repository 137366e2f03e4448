/* Runs whose profiles reach their limits: profiled nodes|limited|parts|threads|messages|calls N.
 *
 * nodes: N regions of different names, each with a barrier inside; limited: the same, and the file of the trace has no room for them.
 * parts: a barrier in each of N communicators. threads: N threads, one after the other, with three barriers each.
 * messages: N messages to itself, which another thread completes. calls: N more; prints by how much memory has grown meanwhile. */
#include <hiera.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void make_nodes(int n)
{
    char name[32];
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "region %d", i);
        hiera_begin("app", name, NULL);
        MPI_Barrier(MPI_COMM_SELF);
        hiera_begin("app", "inner", NULL);
        MPI_Barrier(MPI_COMM_SELF);
        hiera_end();
        hiera_end();
    }
}

static void make_parts(int n)
{
    for (int i = 0; i < n; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        for (int k = 0; k <= i % 3; k++)
            MPI_Barrier(comm);
        MPI_Comm_free(&comm);
    }
}

static void *make_barriers(void *nothing)
{
    hiera_begin("app", "in thread", NULL);
    for (int i = 0; i < 3; i++)
        MPI_Barrier(MPI_COMM_SELF);
    hiera_end();
    return nothing;
}

static void make_threads(int n)
{
    for (int i = 0; i < n; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, make_barriers, NULL);
        pthread_join(thread, NULL);
    }
}

static MPI_Request request, persistent;

static void *wait_for_it(void *nothing)
{
    MPI_Start(&persistent);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return nothing;
}

/* The thread ends, so what it has completed is known before the receives that the main thread has posted. */
static void make_messages(int n)
{
    static char bytes[64];
    MPI_Send_init(bytes, 3, MPI_CHAR, 0, 1, MPI_COMM_SELF, &persistent);
    for (int i = 0; i < n; i++) {
        pthread_t thread;
        MPI_Irecv(bytes + 8, 8, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &request);
        pthread_create(&thread, NULL, wait_for_it, NULL);
        pthread_join(thread, NULL);
    }
    MPI_Request_free(&persistent);
}

static void make_calls(int n)
{
    int value = 0, got;
    for (int i = 0; i < n; i++) {
        MPI_Request receive;
        hiera_begin("app", "exchange", "i=%d", i);
        MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &receive);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        hiera_end();
    }
}

/* Kilobytes, the most that there were. */
static long memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 0, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        exit(77);
    if (strcmp(what, "limited") == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){100000, 100000});
    }
    if (strcmp(what, "parts") == 0)
        make_parts(n);
    else if (strcmp(what, "threads") == 0)
        make_threads(n);
    else if (strcmp(what, "messages") == 0)
        make_messages(n);
    else if (strcmp(what, "calls") == 0)
        make_calls(n < 10000 ? n : 10000);
    else
        make_nodes(n);
    if (strcmp(what, "calls") == 0) {
        long before = memory();
        make_calls(n);
        printf("%ld\n", memory() - before);
    }
    MPI_Finalize();
    return 0;
}
