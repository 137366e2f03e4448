/* Barriers and N x N collectives in all ways in which members could wait in vain for what others have to tell about them
 * (HIERA_SYNC=1): calls that fail on one rank, that have no data, that are not recorded, in threads, on communicators that
 * come and go. Prints how long each rank was ready for the second barrier before the last one was. Not linked with
 * libhiera. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 20, IN_THREADS = 20, LATE_US = 40000, RANKS_MAX = 8 };

static int rank, size;

static void check(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "rank %d: wrong result: %s\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

static void add_up(MPI_Comm comm)
{
    int one = 1, sum = 0, n;
    MPI_Comm_size(comm, &n);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    check(sum == n, "allreduce");
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The last rank comes late. */
static void late(void)
{
    double ready, latest;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        usleep(LATE_US);
    ready = now_s();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(&ready, &latest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Bcast(&latest, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%d %.9f\n", rank, latest - ready);
}

/* Each function once. */
static void all_functions(MPI_Comm comm)
{
    int n, at[RANKS_MAX], ones[RANKS_MAX], bytes[RANKS_MAX], in[RANKS_MAX], out[RANKS_MAX];
    MPI_Datatype types[RANKS_MAX];
    MPI_Comm_size(comm, &n);
    for (int i = 0; i < n; i++) {
        at[i] = i, bytes[i] = i * (int)sizeof *in, ones[i] = 1, out[i] = i + 1;
        types[i] = MPI_INT;
    }
    MPI_Barrier(comm);
    MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    check(in[n - 1] == 1, "allgather");
    MPI_Allgatherv(out, 1, MPI_INT, in, ones, at, MPI_INT, comm);
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    MPI_Alltoallv(out, ones, at, MPI_INT, in, ones, at, MPI_INT, comm);
    MPI_Alltoallw(out, ones, bytes, types, in, ones, bytes, types, comm);
    check(in[0] == in[n - 1], "alltoallw");
    MPI_Allreduce(MPI_IN_PLACE, out, n, MPI_INT, MPI_SUM, comm);
    check(out[n - 1] == n * n, "allreduce in place");
    MPI_Reduce_scatter(out, in, ones, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(out, in, 1, MPI_INT, MPI_SUM, comm);
}

/* A call fails on all ranks, and one on the first rank alone. */
static void failing(void)
{
    MPI_Comm comm;
    int in = 1, out;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    add_up(comm);
    check(MPI_Allreduce(&in, &out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm) != MPI_SUCCESS, "error");
    if (rank == 0)
        check(MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_OP_NULL, comm) != MPI_SUCCESS, "error");
    add_up(comm);
    MPI_Comm_free(&comm);
}

/* Nobody sends anything, so nobody has to wait for the late rank. */
static void empty(void)
{
    int none[RANKS_MAX] = {0}, nothing, never;
    if (rank == 0)
        usleep(2000);
    MPI_Alltoallv(&nothing, none, none, MPI_INT, &never, none, none, MPI_INT, MPI_COMM_WORLD);
}

static void not_recorded(void)
{
    if (rank == 0)
        MPI_Pcontrol(0);
    add_up(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Pcontrol(1);
}

static void between_groups(void)
{
    MPI_Comm half, inter, merged;
    int one = 1, sum = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &inter);
    MPI_Barrier(inter);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter);
    check(sum == size / 2, "allreduce between groups");
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    add_up(merged);
    add_up(half);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void coming_and_going(void)
{
    for (int i = 0; i < MANY; i++) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? rank : -rank, &comm);
        add_up(comm);
        MPI_Comm_free(&comm);
    }
}

static void later(void)
{
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    add_up(comm);
    MPI_Comm_free(&comm);
    add_up(MPI_COMM_SELF);
}

static void *in_thread(void *comm)
{
    for (int i = 0; i < IN_THREADS; i++)
        add_up(*(MPI_Comm *)comm);
    return NULL;
}

static void two_threads(void)
{
    MPI_Comm comms[2];
    pthread_t thread;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    pthread_create(&thread, NULL, in_thread, &comms[0]);
    in_thread(&comms[1]);
    pthread_join(thread, NULL);
    MPI_Comm_free(&comms[1]);
    MPI_Comm_free(&comms[0]);
}

int main(int argc, char **argv)
{
    int threads;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    late();
    if (argc > 1) { /* that is all */
        MPI_Finalize();
        return 0;
    }
    all_functions(MPI_COMM_WORLD);
    failing();
    empty();
    not_recorded();
    between_groups();
    coming_and_going();
    later();
    if (threads == MPI_THREAD_MULTIPLE)
        two_threads();
    MPI_Finalize();
    return 0;
}
