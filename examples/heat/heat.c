/* The heat equation on a circle, which is cut into a part for each rank: how much does it help to compute while
 * messages are on their way? Two versions:
 *
 *   wait      each step waits for the neighbours' borders, then computes all points
 *   overlap   each step computes all points but the outermost ones, and these when the borders are there
 *
 * The network is slow on purpose (slow_network.h). Work is mostly sleeping, so that times are the same on every
 * machine, also with more ranks than cores. At the end the field is compared with what one process computes without any
 * message.
 *
 * usage: heat wait|overlap [POINTS [STEPS [DELAY_MS [WORK_NS]]]]
 *        points of each rank, steps, delay of a message, work for each point */
#include "slow_network.h"
#include <hiera.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int overlap, points, steps;
    double delay_s, work_s;
} given = {0, 1000000, 50, 0.1, 190e-9};

static int rank, size, neighbours[SIDES];

/* Return the new temperature of a point, computed from its own and those of both neighbours. */
static double relax(double left, double middle, double right)
{
    return middle + 0.25 * (left - 2 * middle + right);
}

static double initial(long point)
{
    long all = (long)given.points * size;
    return (double)((point % all + all) % all);
}

/* Compute the points `begin` to `end` - 1. Takes work_s for each point, however fast the processor is. */
static void compute(const double *from, double *to, int begin, int end)
{
    double finish = clock_now() + (end - begin) * given.work_s;
    for (int i = begin; i < end; i++)
        to[i] = relax(from[i - 1], from[i], from[i + 1]);
    sleep_until(finish);
}

static void receive_borders(double *field, const double borders[SIDES])
{
    HIERA_REGION("app", "borders", NULL);
    slow_network_wait();
    field[0] = borders[LEFT];
    field[given.points + 1] = borders[RIGHT];
    HIERA_PROBE("received_data");
}

static void compute_middle(const double *from, double *to)
{
    HIERA_REGION("app", "middle", NULL);
    compute(from, to, 2, given.points);
    HIERA_PROBE("finished_middle");
}

/* Compute one step. The points are 1 to `points`; 0 and `points + 1` are copies of the neighbours' border points. */
static void step(int n, double *from, double *to)
{
    HIERA_REGION("app", "heat", NULL);
    HIERA_PROBE("start_heat", n);
    double received[SIDES], sent[SIDES] = {from[1], from[given.points]};
    slow_network_exchange(neighbours, sent, received);
    if (given.overlap) {
        compute_middle(from, to);
        receive_borders(from, received);
        compute(from, to, 1, 2);
        compute(from, to, given.points, given.points + 1);
    } else {
        receive_borders(from, received);
        compute(from, to, 1, given.points + 1);
    }
    HIERA_PROBE("end_heat", n);
}

/* All steps, on a field of `points` with `around` more at each side; after each step one less of these is right.
 * Returns the first of the points. */
static double *solve_alone(double *fields[2], int around)
{
    int all = given.points + 2 * around;
    for (int i = 0; i < all; i++)
        fields[0][i] = initial((long)rank * given.points + i - around);
    for (int n = 0; n < given.steps; n++)
        for (int i = n + 1; i < all - n - 1; i++)
            fields[(n + 1) % 2][i] = relax(fields[n % 2][i - 1], fields[n % 2][i], fields[n % 2][i + 1]);
    return &fields[given.steps % 2][around];
}

static double *allocate(long points)
{
    double *field = calloc(points, sizeof *field);
    if (!field)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return field;
}

/* How many points of all ranks differ from what is computed without messages. Heat comes one point further in each
 * step, so each rank needs as many points around its own as there are steps. */
static long count_wrong(const double *points)
{
    double *fields[2] = {allocate(given.points + 2L * given.steps), allocate(given.points + 2L * given.steps)};
    const double *expected = solve_alone(fields, given.steps);
    long wrong = 0, all = 0;
    for (int i = 0; i < given.points; i++)
        wrong += points[i] != expected[i];
    MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    free(fields[0]);
    free(fields[1]);
    return all;
}

static void parse(int argc, char **argv)
{
    given.overlap = argc > 1 && strcmp(argv[1], "overlap") == 0;
    if (argc > 2)
        given.points = atoi(argv[2]);
    if (argc > 3)
        given.steps = atoi(argv[3]);
    if (argc > 4)
        given.delay_s = atof(argv[4]) * 1e-3;
    if (argc > 5)
        given.work_s = atof(argv[5]) * 1e-9;
    if (argc > 1 && (given.overlap || strcmp(argv[1], "wait") == 0) && given.points > 1 && given.steps > 0)
        return;
    if (rank == 0)
        fprintf(stderr, "usage: heat wait|overlap [POINTS [STEPS [DELAY_MS [WORK_NS]]]]\n");
    MPI_Finalize();
    exit(2);
}

int main(int argc, char **argv)
{
    int threads;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    parse(argc, argv);
    neighbours[LEFT] = (rank + size - 1) % size;
    neighbours[RIGHT] = (rank + 1) % size;
    double *fields[2] = {allocate(given.points + 2L), allocate(given.points + 2L)};
    for (int i = 1; i <= given.points; i++)
        fields[0][i] = fields[1][i] = initial((long)rank * given.points + i - 1);

    slow_network_start(given.delay_s);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = clock_now();
    for (int n = 0; n < given.steps; n++)
        step(n, fields[n % 2], fields[(n + 1) % 2]);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = clock_now() - begin;
    slow_network_stop();

    long wrong = count_wrong(&fields[given.steps % 2][1]);
    if (rank == 0)
        printf("heat: %s, %d ranks, %d steps, %.3f s, %ld wrong points\n", argv[1], size, given.steps, seconds, wrong);
    MPI_Finalize();
    return rank == 0 && wrong > 0;
}
