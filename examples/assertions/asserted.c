/* A ring in which each rank says what it expects of itself: assertions in the source, in each form that C has.
 *
 * What is wrong: every fourth step reduces twice. Argument: the number of steps. */
#include <hiera.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 1000 };

typedef struct {
    int n; /* number of cells that are sent */
    double cells[2][CELLS];
} Grid;

/* Exchange cells. The assertion: two messages of n doubles take the time of a model, in the body of this function. */
static void exchange(Grid *grid, MPI_Comm ring)
{
    int rank, size;
    MPI_Request requests[2];
    HIERA_ASSERT("abs((8 * $n / (${PA_TRANSFER_RATE} / 8000) + ${PA_TRANSFER_LATENCY} * microseconds) * 2"
                 " - MPITransferTime) / MPITransferTime < 0.1",
                 grid->n);
    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &size);
    MPI_Irecv(grid->cells[1], grid->n, MPI_DOUBLE, (rank + size - 1) % size, 0, ring, &requests[0]);
    MPI_Isend(grid->cells[0], grid->n, MPI_DOUBLE, (rank + 1) % size, 0, ring, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* Compute without messages. The assertion: nobody may add an MPI call to this function. */
static double sweep(Grid *grid)
{
    double sum = 0;
    HIERA_ASSERT("MPITime == 0 & WallTime > 0");
    for (int i = 0; i < CELLS; i++)
        sum += grid->cells[0][i] = 0.5 * (grid->cells[0][i] + grid->cells[1][i]);
    return sum;
}

static double reduce(double sum, MPI_Comm ring)
{
    double total;
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, ring);
    return total;
}

/* Called for each violation if HIERA_MORE=on_violation=call is set. */
void hiera_on_violation(const struct hiera_violation *violation)
{
    fprintf(stderr, "%s:%u: %g %s %g is false, execution %llu\n", violation->file, violation->line, violation->left,
            violation->comparison, violation->right, violation->execution);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 8, done = 0;
    static Grid grid = {.n = CELLS};
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    { /* the assertion is about this whole block; its variable `done` has the value at the block's end */
        HIERA_ASSERT("$done == $steps & nMPIProcesses($ring) == 1 -> MPITime / WallTime < 0.5", done, steps, ring);
        for (int step = 0; step < steps; step++) { /* the assertion is about each step */
            HIERA_ASSERT("calls(\"allreduce\") == 1 & messages == 1", step);
            exchange(&grid, ring);
            double total = reduce(sweep(&grid), ring);
            if (step % 4 == 3)
                total = reduce(total, ring);
            done++;
        }
    }
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
