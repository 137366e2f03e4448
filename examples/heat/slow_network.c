/* See slow_network.h. */
#include "slow_network.h"
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static const double POLL_S = 0.001;

static struct {
    pthread_t thread;
    double delay;
    const int *neighbours; /* NULL: the thread is to end */
    double *received;
    sem_t expected, arrived;
} network;

double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

void sleep_until(double time)
{
    struct timespec until = {(time_t)time, (long)((time - (time_t)time) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

/* Messages have the side from which they come as their tag. They are told apart so when there are two ranks. */
static int has_arrived(int side)
{
    int here;
    MPI_Iprobe(network.neighbours[side], side, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
    return here;
}

/* One step for one message: see whether it has arrived, or receive it when its delay is over. `due` is 0 before it has
 * arrived. Returns when to look again; 0: it was received. */
static double advance(int side, double *due)
{
    double now = clock_now();
    if (*due == 0 && has_arrived(side))
        *due = now + network.delay;
    if (*due == 0)
        return now + POLL_S;
    if (now < *due)
        return *due;
    MPI_Recv(&network.received[side], 1, MPI_DOUBLE, network.neighbours[side], side, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}

static void receive_both(void)
{
    double due[SIDES] = {0}, next[SIDES] = {1, 1};
    while (next[LEFT] > 0 || next[RIGHT] > 0) {
        for (int side = LEFT; side < SIDES; side++)
            if (next[side] > 0)
                next[side] = advance(side, &due[side]);
        int later = next[LEFT] == 0 || (next[RIGHT] > 0 && next[RIGHT] < next[LEFT]) ? RIGHT : LEFT;
        if (next[later] > 0)
            sleep_until(next[later]);
    }
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        ; /* a signal came */
}

static void *run(void *unused)
{
    for (wait_for(&network.expected); network.neighbours; wait_for(&network.expected)) {
        receive_both();
        sem_post(&network.arrived);
    }
    return unused;
}

void slow_network_start(double delay_s)
{
    network.delay = delay_s;
    sem_init(&network.expected, 0, 0);
    sem_init(&network.arrived, 0, 0);
    pthread_create(&network.thread, NULL, run, NULL);
}

void slow_network_exchange(const int neighbours[SIDES], const double sent[SIDES], double received[SIDES])
{
    for (int side = LEFT; side < SIDES; side++)
        MPI_Send(&sent[side], 1, MPI_DOUBLE, neighbours[side], side == LEFT ? RIGHT : LEFT, MPI_COMM_WORLD);
    network.neighbours = neighbours;
    network.received = received;
    sem_post(&network.expected);
}

void slow_network_wait(void)
{
    wait_for(&network.arrived);
}

void slow_network_stop(void)
{
    network.neighbours = NULL;
    sem_post(&network.expected);
    pthread_join(network.thread, NULL);
}
