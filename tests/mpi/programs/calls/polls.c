/* Waiting in calls that return at once and are repeated, and in probes, with a delay that is known: in a region named after
 * the class of the waiting and the call that waits, rank 0 sleeps before its call. A barrier before each region lets both
 * ranks begin together. Each rank prints when it was ready for its call, by the clock of the host. */
#include "hiera.h"
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { DELAY_US = 50000, BETWEEN_US = 20, COUNT = 4 };

static int rank, other, in[COUNT], out[COUNT];
static double ready_s;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void late(void)
{
    if (rank != 0)
        return;
    usleep(DELAY_US);
    ready_s = now_s();
}

static void message(void)
{
    late();
    if (rank == 0)
        MPI_Send(out, COUNT, MPI_INT, other, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(in, COUNT, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Time between two tests. */
static void compute(void)
{
    for (double begin_s = now_s(); now_s() < begin_s + BETWEEN_US * 1e-6;)
        ;
}

/* One of two messages is sent at once if all are waited for: the other one decides. */
static void send_two(bool both_late)
{
    if (both_late)
        late();
    MPI_Send(out, COUNT, MPI_INT, other, 7, MPI_COMM_WORLD);
    if (!both_late)
        late();
    MPI_Send(out, COUNT, MPI_INT, other, 8, MPI_COMM_WORLD);
}

static void receive_two(MPI_Request requests[2])
{
    for (int i = 0; i < 2; i++)
        MPI_Irecv(in, COUNT, MPI_INT, other, 7 + i, MPI_COMM_WORLD, &requests[i]);
}

static void test(void)
{
    MPI_Request request;
    int done = 0;
    if (rank == 0) {
        message();
        return;
    }
    MPI_Irecv(in, COUNT, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        compute();
}

static void testall(void)
{
    MPI_Request requests[2];
    int done = 0;
    if (rank == 0) {
        send_two(false);
        return;
    }
    receive_two(requests);
    for (MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE); !done; MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE))
        compute();
}

static void testany(void)
{
    MPI_Request requests[2];
    int done = 0, which;
    if (rank == 0) {
        send_two(true);
        return;
    }
    receive_two(requests);
    for (MPI_Testany(2, requests, &which, &done, MPI_STATUS_IGNORE); !done;
         MPI_Testany(2, requests, &which, &done, MPI_STATUS_IGNORE))
        compute();
    MPI_Wait(&requests[1 - which], MPI_STATUS_IGNORE);
}

static void testsome(void)
{
    MPI_Request requests[2];
    int done = 0, which[2];
    if (rank == 0) {
        send_two(true);
        return;
    }
    receive_two(requests);
    for (MPI_Testsome(2, requests, &done, which, MPI_STATUSES_IGNORE); done == 0;
         MPI_Testsome(2, requests, &done, which, MPI_STATUSES_IGNORE))
        compute();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void barrier(void)
{
    MPI_Request request;
    int done = 0;
    late();
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        compute();
}

static void probe(void)
{
    if (rank == 1)
        MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    message();
}

static void mprobe(void)
{
    MPI_Message found;
    if (rank == 0) {
        message();
        return;
    }
    MPI_Mprobe(other, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, COUNT, MPI_INT, &found, MPI_STATUS_IGNORE);
}

static void iprobe(void)
{
    int there = rank == 0;
    for (; !there; compute())
        MPI_Iprobe(other, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    message();
}

static void run(const char *name, void (*part)(void))
{
    MPI_Barrier(MPI_COMM_WORLD);
    hiera_begin("late", name, NULL);
    ready_s = now_s();
    part();
    hiera_end();
    printf("%s|%d|%.9f\n", name, rank, ready_s);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    run("late sender, in test", test);
    run("late sender, in testall", testall);
    run("late sender, in testany", testany);
    run("late sender, in testsome", testsome);
    run("late sender, in probe", probe);
    run("late sender, in mprobe", mprobe);
    run("late sender, in iprobe", iprobe);
    run("wait at barrier, in test", barrier);
    MPI_Finalize();
    return 0;
}
