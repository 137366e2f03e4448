/* Each kind of waiting once, with a delay that is known: in a region named after the kind, one rank of two sleeps before
 * its call. A barrier before each region lets both begin together. Each rank prints when it was ready for its call, by
 * the clock of the host. */
#include "hiera.h"
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { DELAY_US = 50000, COUNT = 4 };

static int rank, other, in[COUNT], out[COUNT];
static MPI_Comm ring;
static MPI_Win win;
static MPI_Group group;

static double ready_s;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* One rank is late. */
static void late(int who)
{
    if (rank != who)
        return;
    usleep(DELAY_US);
    ready_s = now_s();
}

static void send_late(void)
{
    late(0);
    if (rank == 0)
        MPI_Send(out, COUNT, MPI_INT, other, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(in, COUNT, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* MPI_Ssend does not end before the receive has begun. */
static void receive_late(void)
{
    late(1);
    if (rank == 0)
        MPI_Ssend(out, COUNT, MPI_INT, other, 2, MPI_COMM_WORLD);
    else
        MPI_Recv(in, COUNT, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_late_to_wait(void)
{
    MPI_Request request;
    if (rank == 1) {
        MPI_Irecv(in, COUNT, MPI_INT, other, 3, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return;
    }
    late(0);
    MPI_Send(out, COUNT, MPI_INT, other, 3, MPI_COMM_WORLD);
}

/* The message with tag 5 was sent first and is received last. */
static void send_late_in_wrong_order(void)
{
    if (rank == 0) {
        MPI_Send(out, COUNT, MPI_INT, other, 5, MPI_COMM_WORLD);
        late(0);
        MPI_Send(out, COUNT, MPI_INT, other, 6, MPI_COMM_WORLD);
        return;
    }
    MPI_Recv(in, COUNT, MPI_INT, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, COUNT, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void barrier(void)
{
    late(0);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void barrier_to_wait(void)
{
    MPI_Request request;
    late(0);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void all_to_all(void)
{
    late(0);
    MPI_Allreduce(out, in, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void broadcast(void)
{
    late(0);
    MPI_Bcast(in, COUNT, MPI_INT, 0, MPI_COMM_WORLD);
}

static void reduce(void)
{
    late(1);
    MPI_Reduce(out, in, COUNT, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void scan(void)
{
    late(0);
    MPI_Scan(out, in, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void neighbors(void)
{
    int from[2 * COUNT];
    late(0);
    MPI_Neighbor_allgather(out, COUNT, MPI_INT, from, COUNT, MPI_INT, ring);
}

static void fence(void)
{
    late(0);
    MPI_Win_fence(0, win);
}

static void complete(void)
{
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
        late(0);
        MPI_Win_complete(win);
        return;
    }
    MPI_Win_post(group, 0, win);
    MPI_Win_wait(win);
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
    MPI_Group world;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){2}, (int[]){1}, 0, &ring);
    MPI_Win_create(in, sizeof in, sizeof *in, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group);
    MPI_Group_free(&world);
    run("late sender", send_late);
    run("late sender, in wait", send_late_to_wait);
    run("late sender, wrong order", send_late_in_wrong_order);
    run("late receiver", receive_late);
    run("wait at barrier", barrier);
    run("wait at barrier, in wait", barrier_to_wait);
    run("wait at N x N", all_to_all);
    run("late broadcast", broadcast);
    run("early reduce", reduce);
    run("early scan", scan);
    run("wait at neighbors", neighbors);
    run("wait at fence", fence);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    run("late complete", complete);
    MPI_Group_free(&group);
    MPI_Win_free(&win);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
