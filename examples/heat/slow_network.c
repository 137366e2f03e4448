#include "slow_network.h"
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static const double POLL_S = 0.001;

/* A message has the time at which it was sent as its tag, so that the receiver knows it before it takes the message.
 * Tags are small: they tell the time modulo 3.2768 s. */
enum { TICKS = 32768 };
static const double TICK_S = 0.0001;

static struct {
    pthread_t thread;
    double delay;
    const int *neighbours; /* by side: rank of the neighbour; NULL: the thread is to end */
    double *received;
    MPI_Comm from[SIDES]; /* by side: for messages from there, as a rank may be the neighbour on both sides */
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

typedef struct {
    int tag;
    double due; /* time when the message can be received; 0: not arrived yet */
} Message;

/* Return the tag of a message that is sent now: its time in ticks, rounded up. */
static int tag_now(void)
{
    return (int)(((long long)(clock_now() / TICK_S) + 1) % TICKS);
}

/* Look whether a message from this side has arrived; if so, compute when its delay is over. */
static void look(int side, Message *message)
{
    int here, tag = tag_now();
    MPI_Status status;
    MPI_Iprobe(network.neighbours[side], MPI_ANY_TAG, network.from[side], &here, &status);
    if (!here)
        return;
    message->tag = status.MPI_TAG;
    message->due = clock_now() + network.delay - (tag - message->tag + TICKS) % TICKS * TICK_S;
}

/* Look for a message, or receive it if it is due. Returns when to call this again; 0: it was received. */
static double advance(int side, Message *message)
{
    double now = clock_now();
    if (message->due == 0)
        look(side, message);
    if (message->due == 0)
        return now + POLL_S;
    if (now < message->due)
        return message->due;
    MPI_Recv(&network.received[side], 1, MPI_DOUBLE, network.neighbours[side], message->tag, network.from[side],
             MPI_STATUS_IGNORE);
    return 0;
}

static void receive_both(void)
{
    Message messages[SIDES] = {{0}};
    double next[SIDES] = {1, 1};
    while (next[LEFT] > 0 || next[RIGHT] > 0) {
        for (int side = LEFT; side < SIDES; side++)
            if (next[side] > 0)
                next[side] = advance(side, &messages[side]);
        int later = next[LEFT] == 0 || (next[RIGHT] > 0 && next[RIGHT] < next[LEFT]) ? RIGHT : LEFT;
        if (next[later] > 0)
            sleep_until(next[later]);
    }
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        ; /* repeat: a signal has interrupted sem_wait() */
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
    for (int side = LEFT; side < SIDES; side++)
        MPI_Comm_dup(MPI_COMM_WORLD, &network.from[side]);
    sem_init(&network.expected, 0, 0);
    sem_init(&network.arrived, 0, 0);
    pthread_create(&network.thread, NULL, run, NULL);
}

void slow_network_exchange(const int neighbours[SIDES], const double sent[SIDES], double received[SIDES])
{
    for (int side = LEFT; side < SIDES; side++)
        MPI_Send(&sent[side], 1, MPI_DOUBLE, neighbours[side], tag_now(), network.from[side == LEFT ? RIGHT : LEFT]);
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
    for (int side = LEFT; side < SIDES; side++)
        MPI_Comm_free(&network.from[side]);
}
