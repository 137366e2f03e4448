/* Small programs without faults, in which faults are planted (planted.c, plant). SUBJECT ITERATIONS SECONDS.
 *
 * Each function that computes does a little of the real work, and sleeps until SECONDS times its part are over: so a
 * run takes the same time on any computer, also if it has fewer processors than the run has ranks. `idle()`-like
 * functions (serial, prepare, hold) do nothing: faults grow there. Compile with -g -finstrument-functions. */
#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PLAIN __attribute__((no_instrument_function))
#define PART  __attribute__((noinline, noclone)) void

enum { CELLS = 256 };

static int rank, size, iterations;
static double slot, field[CELLS + 2], other[CELLS + 2], sink;

static PLAIN double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Sleep until a part of the slot is over that began at a time. */
static PLAIN void fill(double since, double part)
{
    double until = since + part * slot;
    struct timespec time = {(time_t)until, (long)((until - (double)(time_t)until) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
        ;
}

static PLAIN void sweep(double *to, const double *from)
{
    for (int i = 1; i <= CELLS; i++)
        to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

/* What the programs have in common. */
PART relax(void)
{
    double since = now();
    sweep(other, field);
    sweep(field, other);
    fill(since, 0.75);
}

PART residual(double *sum)
{
    double since = now();
    *sum = 0;
    for (int i = 1; i <= CELLS; i++)
        *sum += fabs(field[i] - other[i]);
    fill(since, 0.25);
}

PART prepare(void) /* the root, before it tells the others something */
{
    sink += field[1];
}

PART serial(void) /* the first rank alone */
{
    sink += field[2];
}

PART hold(void) /* with a lock */
{
    sink += field[3];
}

static void exchange(void)
{
    MPI_Request requests[4];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Irecv(&field[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&field[CELLS + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&field[CELLS], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&field[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* A stencil: neighbours, and the norm of what has changed. */
static void stencil(void)
{
    double mine, all;
    exchange();
    relax();
    residual(&mine);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Molecular dynamics: positions of the neighbours, forces, and the energy at the root, which sets the temperature. */
static void dynamics(void)
{
    double mine, all = 0, scale = 1;
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Sendrecv(&field[1], 8, MPI_DOUBLE, left, 3, other, 8, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    relax();
    residual(&mine);
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        prepare();
        scale = all > 1e300 ? 0 : 1;
    }
    MPI_Bcast(&scale, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    field[1] *= scale;
}

/* Conjugate gradients: a product with a matrix, two sums. */
static void gradients(void)
{
    double mine, all;
    exchange();
    relax();
    MPI_Allreduce(&field[1], &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    residual(&mine);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

/* A transpose, as in an FFT of two dimensions; the first rank does something alone. */
static void transpose(void)
{
    static double to[CELLS], from[CELLS];
    double mine;
    relax();
    memcpy(from, field, sizeof from);
    MPI_Alltoall(from, CELLS / size, MPI_DOUBLE, to, CELLS / size, MPI_DOUBLE, MPI_COMM_WORLD);
    residual(&mine);
    if (rank == 0)
        serial();
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A pipeline: each rank works on what the one before it has done. */
static void pipeline(void)
{
    if (rank > 0)
        MPI_Recv(&field[0], 8, MPI_DOUBLE, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    relax();
    if (rank + 1 < size)
        MPI_Send(&field[CELLS - 8], 8, MPI_DOUBLE, rank + 1, 4, MPI_COMM_WORLD);
}

/* A counter and a table of all at the first rank, behind a lock. */
static MPI_Win window;
static double table[CELLS];

static void ring(void)
{
    double mine;
    relax();
    residual(&mine);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Put(&mine, 1, MPI_DOUBLE, 0, rank, 1, MPI_DOUBLE, window);
    hold();
    MPI_Win_unlock(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A stencil whose state is written to a file. */
static MPI_File checkpoint;

static void writer(void)
{
    static int n;
    stencil();
    if (++n % 5 == 0)
        MPI_File_write_at(checkpoint, (MPI_Offset)(rank * sizeof field), field, CELLS, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

/* A task farm: the first rank gives tasks to who has none. */
static void task(void)
{
    double since = now();
    sweep(other, field);
    fill(since, 1);
}

static void farm(void)
{
    int n = iterations * (size - 1), told = 0, none = -1;
    if (rank > 0) {
        for (;;) {
            MPI_Send(&told, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
            MPI_Recv(&told, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (told < 0)
                return;
            task();
        }
    }
    for (int i = 0; i < n + size - 1; i++) {
        MPI_Status status;
        MPI_Recv(&told, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
        MPI_Send(i < n ? &i : &none, 1, MPI_INT, status.MPI_SOURCE, 6, MPI_COMM_WORLD);
    }
}

typedef struct {
    const char *name;
    void (*step)(void);
} Subject;

static const Subject subjects[] = {{"stencil", stencil},     {"dynamics", dynamics}, {"gradients", gradients},
                                   {"transpose", transpose}, {"pipeline", pipeline}, {"ring", ring},
                                   {"writer", writer},       {"farm", farm}};

int main(int argc, char **argv)
{
    const Subject *subject = NULL;
    for (size_t i = 0; argc == 4 && i < sizeof subjects / sizeof subjects[0]; i++)
        if (strcmp(subjects[i].name, argv[1]) == 0)
            subject = &subjects[i];
    if (!subject) {
        fprintf(stderr, "usage: subjects SUBJECT ITERATIONS SECONDS\n");
        return 2;
    }
    iterations = atoi(argv[2]);
    slot = atof(argv[3]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < CELLS + 2; i++)
        field[i] = sin(i + rank);
    if (subject->step == ring)
        MPI_Win_create(table, sizeof table, sizeof table[0], MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (subject->step == writer)
        MPI_File_open(MPI_COMM_WORLD, "checkpoint", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &checkpoint);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < (subject->step == farm ? 1 : iterations); i++)
        subject->step();
    if (subject->step == ring)
        MPI_Win_free(&window);
    if (subject->step == writer)
        MPI_File_close(&checkpoint);
    MPI_Finalize();
    return sink > 1e300;
}
