/* MPI_THREAD_MULTIPLE: four threads with 2500 calls each, most of them local because MPICH is slow with many threads.
 * Two end early, two live until the process exits. One more thread starts after the others. */
#include "unseen.h"

#include <hiera.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CALLS = 2500, THREADS = 4 };

static MPI_Comm comms[THREADS];
static pthread_barrier_t done;

static void *work(void *argument)
{
    int me = *(int *)argument, value = me, got, size;
    hiera_begin("app", "thread", "me=%d", me);
    for (int i = 0; i < CALLS / 2; i++) {
        hiera_begin("app", "exchange", NULL);
        if (i % 50 == 0) {
            MPI_Request request;
            MPI_Irecv(&got, 1, MPI_INT, 0, i, comms[me], &request);
            MPI_Send(&value, 1, MPI_INT, 0, i, comms[me]);
            UNSEEN(Wait)(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Comm_test_inter(comms[me], &got);
            MPI_Type_size(MPI_INT, &size);
        }
        hiera_end();
    }
    hiera_end();
    pthread_barrier_wait(&done);
    while (me >= 2)
        pause();
    return NULL;
}

static void *late(void *argument)
{
    (void)argument;
    hiera_begin("app", "late", NULL);
    MPI_Barrier(comms[0]);
    hiera_end();
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, numbers[THREADS];
    pthread_t threads[THREADS], last;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        exit(77);
    pthread_barrier_init(&done, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    pthread_barrier_wait(&done);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_create(&last, NULL, late, NULL);
    pthread_join(last, NULL);
    MPI_Finalize();
    return 0;
}
