/* A two-dimensional heat equation on a ring of blocks, with two faults for the analyser to find: one rank takes longer
 * in its sweep, and rank 0 comes late to the broadcast, because it prepares what it sends.
 *
 * Most of the work is sleeping, so that the times are the same on every machine, also with more ranks than cores. Many
 * ranks on few cores get into each other's way, so with more than 16 they sleep longer.
 *
 * usage: stencil [STEPS [SLOW_RANK]] */
#include <hiera.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WIDTH = 64, HEIGHT = 32, SWEEP_US = 4000, SLOW_SWEEP_US = 10000, PREPARE_US = 3000, FEW = 16 };

static double field[2][HEIGHT + 2][WIDTH];
static int rank, size, slow;

static void work(int us)
{
    usleep((useconds_t)(us * (size > FEW ? size / FEW : 1)));
}

static void relax(double (*from)[WIDTH], double (*to)[WIDTH])
{
    for (int y = 1; y <= HEIGHT; y++)
        for (int x = 1; x < WIDTH - 1; x++)
            to[y][x] = 0.25 * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
}

/* Exchange the outermost rows of cells with the neighbours above and below. */
static void halo(double (*of)[WIDTH])
{
    HIERA_REGION("app", "halo", NULL);
    int above = (rank + size - 1) % size, below = (rank + 1) % size;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Irecv(of[0], WIDTH, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(of[HEIGHT + 1], WIDTH, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(of[1], WIDTH, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(of[HEIGHT], WIDTH, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, statuses);
}

static void sweep(int step)
{
    HIERA_REGION("app", "sweep", "step=%d", step);
    relax(field[step % 2], field[(step + 1) % 2]);
    work(rank == slow ? SLOW_SWEEP_US : SWEEP_US);
}

/* Rank 0 computes a factor that all ranks need for the next step, and broadcasts it. */
static double control(void)
{
    HIERA_REGION("app", "control", NULL);
    double factor = 1;
    if (rank == 0)
        work(PREPARE_US);
    MPI_Bcast(&factor, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return factor;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int steps = argc > 1 ? atoi(argv[1]) : 20;
    slow = argc > 2 ? atoi(argv[2]) : size / 2;
    double sum = 0;
    for (int x = 0; x < WIDTH; x++)
        field[0][1][x] = field[0][HEIGHT][x] = rank + 1;
    for (int step = 0; step < steps; step++) {
        HIERA_REGION("app", "step", "step=%d", step);
        halo(field[step % 2]);
        sweep(step);
        double own = field[step % 2][1][1], all;
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += all * control();
    }
    if (rank == 0)
        printf("stencil: %d ranks, %d steps, %g\n", size, steps, sum);
    MPI_Finalize();
    return 0;
}
