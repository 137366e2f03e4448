/* How much memory do threads take that make calls? Usage: touched THREADS CALLS [regions]. Prints the kilobytes of the process that are
 * in memory and belong to no file, while the threads are there. */
#include <hiera.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

enum { MOST = 128 };

static pthread_barrier_t made, seen;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static int calls, has_regions;

static void exchange(int tag)
{
    int out = 1, in;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* Four regions, three of them inside each other. */
static void step(int tag)
{
    HIERA_REGION("app", "step", NULL);
    {
        HIERA_REGION("app", "compute", NULL);
    }
    {
        HIERA_REGION("app", "exchange", NULL);
        HIERA_REGION("app", "neighbour", NULL);
        exchange(tag);
    }
}

/* One thread after another: what MPI takes does not depend on who waits for whom. */
static void *run(void *argument)
{
    int tag = *(int *)argument;
    pthread_mutex_lock(&one);
    for (int i = 0; i < calls; i++)
        (has_regions ? step : exchange)(tag);
    pthread_mutex_unlock(&one);
    pthread_barrier_wait(&made);
    pthread_barrier_wait(&seen);
    return NULL;
}

static long anonymous_kb(void)
{
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long kb = -1;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "Anonymous:", 10) == 0)
            kb = strtol(line + 10, NULL, 10);
    if (file)
        fclose(file);
    return kb;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    int provided, tags[MOST], n = argc > 2 ? atoi(argv[1]) : 1;
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    calls = argc > 2 ? atoi(argv[2]) : 1;
    has_regions = argc > 3;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_barrier_init(&made, NULL, (unsigned)n + 1);
    pthread_barrier_init(&seen, NULL, (unsigned)n + 1);
    for (int i = 0; i < n; i++) {
        tags[i] = i;
        pthread_create(&threads[i], NULL, run, &tags[i]);
    }
    pthread_barrier_wait(&made);
    printf("%d %ld\n", provided == MPI_THREAD_MULTIPLE, anonymous_kb());
    pthread_barrier_wait(&seen);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
