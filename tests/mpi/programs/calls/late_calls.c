/* The kinds of waiting of late.c: a function for each, in all modes in which it exists. */
#include "late.h"
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { DELAY_US = 20000, COUNT = 4 };

Late late;

static int is_noted, is_prompt; /* is_prompt: the late rank does not sleep yet */
static int in[COUNT], out[COUNT], many[2 * COUNT];

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now); /* the same in every time namespace */
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --- the calls that count: of the late rank the last one, of the other one the first --- */

void late_begin(void)
{
    is_noted = is_prompt = 0;
}

static void note(int at)
{
    if (is_noted && !late.is_late)
        return;
    if (late.is_late && !is_prompt)
        usleep(DELAY_US);
    is_noted = 1;
    late.line = at;
    late.ready_s = now_s();
}

#define CALL(call)  (note(__LINE__), (call))                             /* waits, or is waited for */
#define START(call) (late.is_late ? note(__LINE__) : (void)0, (call))    /* may be waited for, but does not wait */
#define END(call)   (late.is_late ? (void)0 : note(__LINE__), (call))    /* may wait */
#define LATER(call) (late.is_late ? (void)0 : unless_waited(), END(call)) /* waits, if the call before did not */

static void unless_waited(void)
{
    if (now_s() - late.ready_s < DELAY_US / 2e6)
        is_noted = 0;
}

static void finish(MPI_Request *request)
{
    END(MPI_Wait(request, MPI_STATUS_IGNORE));
    if (late.mode == PERSISTENT)
        MPI_Request_free(request);
}

/* --- messages --- */

static void send(int tag)
{
    MPI_Request request;
    if (late.mode == BLOCKING) {
        CALL(MPI_Send(out, COUNT, MPI_INT, late.other, tag, late.comm));
        return;
    }
    if (late.mode == NON_BLOCKING)
        START(MPI_Isend(out, COUNT, MPI_INT, late.other, tag, late.comm, &request));
    else
        MPI_Send_init(out, COUNT, MPI_INT, late.other, tag, late.comm, &request);
    if (late.mode == PERSISTENT)
        START(MPI_Start(&request));
    finish(&request);
}

/* MPI_Ssend does not end before the receive has begun. */
static void send_synchronously(int tag)
{
    MPI_Request request;
    if (late.mode == BLOCKING) {
        CALL(MPI_Ssend(out, COUNT, MPI_INT, late.other, tag, late.comm));
        return;
    }
    if (late.mode == NON_BLOCKING)
        START(MPI_Issend(out, COUNT, MPI_INT, late.other, tag, late.comm, &request));
    else
        MPI_Ssend_init(out, COUNT, MPI_INT, late.other, tag, late.comm, &request);
    if (late.mode == PERSISTENT)
        START(MPI_Start(&request));
    finish(&request);
}

static void receive(int tag)
{
    MPI_Request request;
    if (late.mode == BLOCKING) {
        CALL(MPI_Recv(in, COUNT, MPI_INT, late.other, tag, late.comm, MPI_STATUS_IGNORE));
        return;
    }
    if (late.mode == NON_BLOCKING)
        START(MPI_Irecv(in, COUNT, MPI_INT, late.other, tag, late.comm, &request));
    else
        MPI_Recv_init(in, COUNT, MPI_INT, late.other, tag, late.comm, &request);
    if (late.mode == PERSISTENT)
        START(MPI_Start(&request));
    finish(&request);
}

static void late_sender(void)
{
    if (late.role == 0)
        send(1);
    else
        receive(1);
}

static void late_receiver(void)
{
    if (late.role == 0)
        send_synchronously(2);
    else
        receive(2);
}

/* The message with tag 3 was sent first and is received last. */
static void wrong_order(void)
{
    if (late.role == 1) {
        receive(4);
        receive(3);
        return;
    }
    is_prompt = 1;
    send(3);
    is_prompt = 0;
    send(4);
}

/* --- collectives --- */

#if MPI_VERSION >= 4
#define INIT(call) (call)
#else
#define INIT(call) ((void)request)
#endif

#define COLLECTIVE(name, start, ...)                                                                                   \
    do {                                                                                                               \
        MPI_Request request = MPI_REQUEST_NULL;                                                                        \
        if (late.mode == PERSISTENT)                                                                                        \
            INIT(name##_init(__VA_ARGS__, MPI_INFO_NULL, &request));                                                   \
        if (late.mode == BLOCKING) {                                                                                        \
            CALL(name(__VA_ARGS__));                                                                                   \
            break;                                                                                                     \
        }                                                                                                              \
        if (late.mode == NON_BLOCKING)                                                                                      \
            START(start(__VA_ARGS__, &request));                                                                       \
        else                                                                                                           \
            START(MPI_Start(&request));                                                                                \
        finish(&request);                                                                                              \
    } while (0)

/* Role 0 is the root. */
static int root(void)
{
    return late.is_inter && late.role == 0 ? MPI_ROOT : 0;
}

static void barrier(void)
{
    COLLECTIVE(MPI_Barrier, MPI_Ibarrier, late.comm);
}

static void all_to_all(void)
{
    COLLECTIVE(MPI_Allreduce, MPI_Iallreduce, out, in, COUNT, MPI_INT, MPI_SUM, late.comm);
}

/* Of MPICH's MPI_Allreduce in shared memory no rank leaves before the others. */
static void exchange(void)
{
    COLLECTIVE(MPI_Alltoall, MPI_Ialltoall, out, COUNT / 2, MPI_INT, in, COUNT / 2, MPI_INT, late.comm);
}

static void broadcast(void)
{
    COLLECTIVE(MPI_Bcast, MPI_Ibcast, in, COUNT, MPI_INT, root(), late.comm);
}

static void reduce(void)
{
    COLLECTIVE(MPI_Reduce, MPI_Ireduce, out, in, COUNT, MPI_INT, MPI_SUM, root(), late.comm);
}

static void scan(void)
{
    COLLECTIVE(MPI_Scan, MPI_Iscan, out, in, COUNT, MPI_INT, MPI_SUM, late.comm);
}

static void neighbors(void)
{
    COLLECTIVE(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, out, COUNT, MPI_INT, many, COUNT, MPI_INT, late.grid);
}

/* --- completion: a signal holds one rank inside the collective, which the late one has left --- */

static double held_until_s;

static void hold(int number)
{
    (void)number;
    usleep(2 * DELAY_US);
    held_until_s = now_s();
}

static void complete(void (*part)(void))
{
    struct sigaction action = {.sa_handler = hold, .sa_flags = SA_RESTART};
    struct itimerval soon = {.it_value.tv_usec = DELAY_US / 4};
    sigaction(SIGALRM, &action, NULL);
    if (!late.is_late)
        setitimer(ITIMER_REAL, &soon, NULL);
    part();
    late.ready_s = late.is_late ? now_s() : held_until_s;
}

static void complete_barrier(void)
{
    complete(barrier);
}

static void complete_exchange(void)
{
    complete(exchange);
}

/* --- windows --- */

static void fence(void)
{
    CALL(MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, late.win));
}

/* An MPI may wait for the post in MPI_Win_start or in MPI_Win_complete. */
static void late_post(void)
{
    if (late.role == 1) {
        START(MPI_Win_post(late.partner, 0, late.win));
        MPI_Win_wait(late.win);
        return;
    }
    END(MPI_Win_start(late.partner, 0, late.win));
    MPI_Put(out, COUNT, MPI_INT, late.other, 0, COUNT, MPI_INT, late.win);
    LATER(MPI_Win_complete(late.win));
}

static void late_complete(void)
{
    if (late.role == 0) {
        MPI_Win_start(late.partner, 0, late.win);
        START(MPI_Win_complete(late.win));
        return;
    }
    MPI_Win_post(late.partner, 0, late.win);
    END(MPI_Win_wait(late.win));
}

/* Role 0 has the lock of its own memory until after its delay. An MPI may wait for it in any of the calls of role 1. */
static void lock(void)
{
    if (late.role == 0)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, late.win);
    MPI_Barrier(late.world_of_two);
    if (late.role == 0) {
        START(MPI_Win_unlock(0, late.win));
        late.ready_s = now_s();
        return;
    }
    END(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, late.win));
    MPI_Put(out, COUNT, MPI_INT, 0, 0, COUNT, MPI_INT, late.win);
    LATER(MPI_Win_flush(0, late.win));
    LATER(MPI_Win_unlock(0, late.win));
}

/* --- all of them --- */

const LateKind late_kinds[] = {
    {"late sender", late_sender, PERSISTENT, 0, 0, 0, 1},
    {"late sender, wrong order", wrong_order, PERSISTENT, 0, 0, 0, 1},
    {"late receiver", late_receiver, PERSISTENT, 1, 1, 0, 1},
    {"wait at barrier", barrier, PERSISTENT, 1, 1, 1, 1},
    /* Of a barrier of MPICH only one of two ranks can leave first: rank 0, or the group with higher ranks. */
    {"barrier completion", complete_barrier, BLOCKING, 0, 1, 1, 1},
    {"wait at N x N", all_to_all, PERSISTENT, 0, 0, 1, 1},
    {"N x N completion", complete_exchange, BLOCKING, 0, 0, 1, 1},
    {"wait at neighbors", neighbors, PERSISTENT, 0, 0, 1, 0},
    {"late broadcast", broadcast, PERSISTENT, 0, 0, 1, 1},
    {"early reduce", reduce, PERSISTENT, 1, 1, 1, 1},
    {"early scan", scan, PERSISTENT, 0, 0, 1, 0},
    {"wait at fence", fence, BLOCKING, 0, 0, 0, 0},
    {"late post", late_post, BLOCKING, 1, 1, 0, 0},
    {"late complete", late_complete, BLOCKING, 0, 0, 0, 0},
    {"lock contention", lock, BLOCKING, 0, 0, 0, 0},
    {NULL, NULL, BLOCKING, 0, 0, 0, 0},
};
