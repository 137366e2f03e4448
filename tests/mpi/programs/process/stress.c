/* Threads under MPI_THREAD_MULTIPLE, with exactly known counts: stress MODE THREADS CALLS.
 *
 *   pthreads, openmp   each of THREADS threads makes CALLS calls. Four of 1000 are a receive that a neighbour completes,
 *                      a send to itself, the wait for the neighbour's receive and the wait for the send
 *   requests           THREADS threads at once send to themselves in CALLS rounds: a receive and a send of tag % 7 + 1
 *                      numbers, completed in one call or in two. MPI uses the handles of the requests again and again
 *   ranks              THREADS threads of each rank send CALLS messages of one tag to the next rank, and receive as many
 *   come-and-go        THREADS threads, a few at a time, with CALLS calls each; prints how much memory this took
 *   come-and-go-fortran  likewise, and each thread makes another call as Fortran programs do
 *   detached           THREADS detached threads mark regions until the process ends; the main thread makes CALLS calls
 *   early              THREADS threads mark CALLS regions each before MPI_Init; half of them go on after it
 */
#include "unseen.h"

#include <hiera.h>
#include <mpi.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64, TAG = 1000 };

typedef struct Worker {
    int number, value;
    MPI_Comm comm;
    _Atomic(MPI_Request *) offered; /* a receive for the neighbour to complete; NULL: none */
    MPI_Request request;
    long mismatches;
} Worker;

static Worker workers[MOST];
static int n_threads;
static long n_calls;
static pthread_barrier_t all_run, go_on;

/* Four calls of this thread: a receive that the neighbour completes, a send, and waits for both the neighbour's receive
 * and the own send. */
static void exchange(Worker *own, int tag)
{
    Worker *other = &workers[(own->number + 1) % n_threads];
    MPI_Request *theirs, send;
    MPI_Status status;
    int value = tag;
    MPI_Irecv(&own->value, 1, MPI_INT, 0, tag, own->comm, &own->request);
    own->offered = &own->request;
    MPI_Isend(&value, 1, MPI_INT, 0, tag, own->comm, &send);
    while (!(theirs = other->offered))
        sched_yield();
    MPI_Wait(theirs, &status);
    own->mismatches += status.MPI_TAG != tag || other->value != tag;
    other->offered = NULL;
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    while (own->offered) /* until then the neighbour uses its memory */
        sched_yield();
}

static void *work(void *argument)
{
    Worker *own = argument;
    int size;
    hiera_begin("app", "work", "number=%d", own->number);
    for (long call = 0; call < n_calls;) {
        if (call % 1000 == 0) {
            exchange(own, (int)(call / 1000) % TAG);
            call += 4;
        } else {
            MPI_Type_size(MPI_DOUBLE, &size);
            call++;
        }
    }
    hiera_end();
    return NULL;
}

static void *recycle(void *argument)
{
    Worker *own = argument;
    for (long round = 0; round < n_calls; round++) {
        int tag = (int)(round * 13 + own->number) % TAG, came, from[8] = {0}, to[8];
        MPI_Request requests[2];
        MPI_Status statuses[2];
        MPI_Irecv(to, 8, MPI_INT, 0, tag, own->comm, &requests[0]);
        MPI_Isend(from, tag % 7 + 1, MPI_INT, 0, tag, own->comm, &requests[1]);
        if (round % 2) {
            MPI_Waitall(2, requests, statuses);
        } else {
            MPI_Wait(&requests[1], &statuses[1]);
            MPI_Wait(&requests[0], &statuses[0]);
        }
        UNSEEN(Get_count)(&statuses[0], MPI_INT, &came);
        own->mismatches += statuses[0].MPI_TAG != tag || came != tag % 7 + 1;
    }
    return NULL;
}

/* All threads of all ranks use the same communicator, tag and size. */
static void *talk(void *argument)
{
    enum { AT_A_TIME = 4 };
    int rank, size, got[AT_A_TIME], data = 0;
    (void)argument;
    UNSEEN(Comm_rank)(MPI_COMM_WORLD, &rank);
    UNSEEN(Comm_size)(MPI_COMM_WORLD, &size);
    for (long call = 0; call < n_calls; call += AT_A_TIME) {
        MPI_Request requests[2 * AT_A_TIME];
        for (int i = 0; i < AT_A_TIME; i++) {
            MPI_Irecv(&got[i], 1, MPI_INT, (rank + size - 1) % size, TAG, MPI_COMM_WORLD, &requests[i]);
            MPI_Isend(&data, 1, MPI_INT, (rank + 1) % size, TAG, MPI_COMM_WORLD, &requests[AT_A_TIME + i]);
        }
        MPI_Waitall(2 * AT_A_TIME, requests, MPI_STATUSES_IGNORE);
    }
    return NULL;
}

static void *count(void *argument)
{
    int size;
    MPI_Request none = MPI_REQUEST_NULL;
    (void)argument;
    MPI_Wait(&none, MPI_STATUS_IGNORE); /* for this call the collector keeps memory for the thread */
    for (long call = 1; call < n_calls; call++)
        MPI_Type_size(MPI_INT, &size);
    return NULL;
}

extern void mpi_wait_(MPI_Fint *, MPI_Fint *, MPI_Fint *) __attribute__((weak)); /* NULL without MPI's Fortran library */

static void *count_in_fortran(void *argument)
{
    MPI_Fint none = MPI_Request_c2f(MPI_REQUEST_NULL), status[sizeof(MPI_Status) / sizeof(MPI_Fint)], error;
    mpi_wait_(&none, status, &error);
    return count(argument);
}

static void *count_for_ever(void *argument)
{
    (void)argument;
    pthread_barrier_wait(&all_run);
    for (;;) { /* no MPI calls: they would be wrong after MPI_Finalize */
        for (int i = 0; i < 100; i++) {
            hiera_begin("app", "for ever", NULL);
            hiera_end();
        }
        usleep(150); /* keeps the trace small enough to be read */
    }
    return NULL;
}

static void *mark(void *argument)
{
    const Worker *own = argument;
    for (long call = 0; call < n_calls; call++) {
        hiera_begin("app", "early", NULL);
        hiera_end();
    }
    pthread_barrier_wait(&all_run);
    if (own->number % 2 == 0)
        return NULL;
    pthread_barrier_wait(&go_on); /* MPI is initialized */
    count(NULL);
    return NULL;
}

static void run_pthreads(void *(*each)(void *))
{
    pthread_t threads[MOST];
    for (int i = 0; i < n_threads; i++)
        pthread_create(&threads[i], NULL, each, &workers[i]);
    for (int i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
}

static void run_openmp(void)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
    for (int i = 0; i < n_threads; i++)
        work(&workers[i]);
#else
    exit(77); /* one after another the threads would wait for each other for ever */
#endif
}

static long resident_kb(void)
{
    char line[256];
    long kb = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmRSS: %ld", &kb);
    if (file)
        fclose(file);
    return kb;
}

static void come_and_go(int threads, void *(*each)(void *))
{
    enum { AT_A_TIME = 4 };
    pthread_t running[AT_A_TIME];
    for (int i = 0; i < threads; i += AT_A_TIME) {
        for (int k = 0; k < AT_A_TIME; k++)
            pthread_create(&running[k], NULL, each, NULL);
        for (int k = 0; k < AT_A_TIME; k++)
            pthread_join(running[k], NULL);
    }
}

static void run_come_and_go(void *(*each)(void *))
{
    come_and_go(n_threads / 2, each);
    long before = resident_kb();
    come_and_go(n_threads - n_threads / 2, each);
    printf("grown by %ld kB\n", resident_kb() - before);
}

static void run_detached(void)
{
    pthread_barrier_init(&all_run, NULL, (unsigned)n_threads + 1);
    for (int i = 0; i < n_threads; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, count_for_ever, NULL);
        pthread_detach(thread);
    }
    pthread_barrier_wait(&all_run);
    count(NULL);
}

static void start(int *argc, char ***argv)
{
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        exit(77);
    for (int i = 0; i < n_threads && i < MOST; i++)
        UNSEEN(Comm_dup)(MPI_COMM_SELF, &workers[i].comm);
}

static void run_early(int *argc, char ***argv)
{
    pthread_t threads[MOST];
    pthread_barrier_init(&all_run, NULL, (unsigned)n_threads + 1);
    pthread_barrier_init(&go_on, NULL, (unsigned)n_threads / 2 + 1);
    for (int i = 0; i < n_threads; i++)
        pthread_create(&threads[i], NULL, mark, &workers[i]);
    pthread_barrier_wait(&all_run);
    for (int i = 0; i < n_threads; i += 2)
        pthread_join(threads[i], NULL);
    start(argc, argv);
    pthread_barrier_wait(&go_on);
    for (int i = 1; i < n_threads; i += 2)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 3 ? argv[1] : "";
    long mismatches = 0;
    n_threads = argc > 3 ? atoi(argv[2]) : 0;
    n_calls = argc > 3 ? atol(argv[3]) : 0;
    for (int i = 0; i < MOST; i++)
        workers[i].number = i;
    if (strcmp(mode, "early") == 0)
        run_early(&argc, &argv);
    else
        start(&argc, &argv);
    if (strcmp(mode, "pthreads") == 0)
        run_pthreads(work);
    else if (strcmp(mode, "ranks") == 0)
        run_pthreads(talk);
    else if (strcmp(mode, "requests") == 0)
        run_pthreads(recycle);
    else if (strcmp(mode, "openmp") == 0)
        run_openmp();
    else if (strcmp(mode, "come-and-go") == 0)
        run_come_and_go(count);
    else if (strcmp(mode, "come-and-go-fortran") == 0)
        run_come_and_go(count_in_fortran);
    else if (strcmp(mode, "detached") == 0)
        run_detached();
    for (int i = 0; i < MOST; i++)
        mismatches += workers[i].mismatches;
    printf("mismatches %ld\n", mismatches);
    MPI_Finalize();
    return 0;
}
