/* Steps that compute always the same, with a region, an assertion and MPI calls. Measures by its own clock how long it
 * computes before each of these, and prints for its rank the nanoseconds of all gaps and of the gap in the middle of a
 * step (median). */
#include "bench.h"
#include <hiera.h>
#include <hiera_assert.h>
#include <mpi.h>

enum { STEPS = 2000, OPERATIONS = 5, MOST = OPERATIONS * STEPS + 1, ROUNDS = 10000 };

static int64_t gaps[MOST], steps[STEPS];
static int n_gaps;
static int64_t since_ns;

static void note_gap(void)
{
    gaps[n_gaps++] = bench_now_ns() - since_ns;
}

#define OPERATION(...)                                                                                                 \
    do {                                                                                                               \
        note_gap();                                                                                                    \
        __VA_ARGS__;                                                                                                   \
        since_ns = bench_now_ns();                                                                                     \
    } while (0)

static void compute(void)
{
    double sum = 1;
    for (int i = 0; i < ROUNDS; i++)
        sum = sum * 0.999 + 1;
    BENCH_USE(sum);
}

static void step(int number)
{
    MPI_Comm comm;
    compute();
    steps[number] = bench_now_ns() - since_ns;
    OPERATION(MPI_Barrier(MPI_COMM_SELF));
    OPERATION(hiera_begin("app", "step", NULL), hiera_end());
    OPERATION({ HIERA_ASSERT("WallTime < 3600 & $number >= 0", number); });
    OPERATION(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    OPERATION(MPI_Comm_free(&comm));
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    int rank;
    int64_t sum = 0;
    MPI_Init(&argc, &argv);
    since_ns = bench_now_ns();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* Hiera does not record this function by default */
    for (int i = 0; i < STEPS; i++)
        step(i);
    note_gap();
    MPI_Finalize();
    for (int i = 0; i < n_gaps; i++)
        sum += gaps[i];
    qsort(steps, STEPS, sizeof *steps, compare);
    printf("own: %d %lld %lld\n", rank, (long long)sum, (long long)steps[STEPS / 2]);
    return 0;
}
