/* A program whose time can be predicted: bench/predict_accuracy runs it twice, with and without what is to be
 * predicted.
 *
 * Usage: exchange STEPS BYTES WORK SLOWER LATENCY_US SUMS OVERLAP. In each step a rank computes WORK units in the
 * region `even`, the rank in the middle half as much more, and SLOWER times WORK in the region `scaled`; then it
 * writes and exchanges BYTES with both neighbours of a ring (if OVERLAP is not 0, it computes `scaled` meanwhile); and
 * if SUMS is not 0, in each tenth step all add up a number. A message counts as received LATENCY_US after it was sent:
 * the receiver, on the same computer, computes until then. */
#include "bench.h"
#include "hiera.h"

#include <mpi.h>
#include <string.h>

enum { SIDES = 2, UNIT = 2000, LONGEST_STEPS = 1000000 };

static int rank, size;

static double work(long units)
{
    double sum = 1;
    for (long i = 0; i < units * UNIT; i++)
        sum = sum * 0.999999 + 0.5 / sum;
    return sum;
}

static void compute_even(long units)
{
    HIERA_CALL("app", "even", "units=%ld", units);
    BENCH_USE(work(units));
}

static void compute_scaled(long units)
{
    HIERA_CALL("app", "scaled", "units=%ld", units);
    BENCH_USE(work(units));
}

static void fill(char *sent, int bytes)
{
    static int value;
    HIERA_CALL("app", "fill", "bytes=%d", bytes);
    memset(sent, ++value, (size_t)bytes);
}

/* A message begins with the time at which it was sent. What is sent is new in each step, as in programs.
 * @param meanwhile  what to compute in `scaled` between sending and waiting; 0: nothing */
static void exchange(char *sent, char *received, int bytes, int64_t latency_ns, long meanwhile)
{
    MPI_Request requests[2 * SIDES];
    const int neighbour[SIDES] = {(rank + size - 1) % size, (rank + 1) % size};
    int64_t due = 0;
    fill(sent, SIDES * bytes);
    for (int side = 0; side < SIDES; side++)
        MPI_Irecv(received + side * bytes, bytes, MPI_BYTE, neighbour[side], 1 - side, MPI_COMM_WORLD, &requests[side]);
    for (int side = 0; side < SIDES; side++) {
        int64_t now = bench_now_ns();
        memcpy(sent + side * bytes, &now, sizeof now);
        MPI_Isend(sent + side * bytes, bytes, MPI_BYTE, neighbour[side], side, MPI_COMM_WORLD, &requests[SIDES + side]);
    }
    if (meanwhile > 0)
        compute_scaled(meanwhile);
    for (int i = 0; i < 2 * SIDES; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    for (int side = 0; latency_ns > 0 && side < SIDES; side++) {
        int64_t at;
        memcpy(&at, received + side * bytes, sizeof at);
        due = at + latency_ns > due ? at + latency_ns : due;
    }
    while (latency_ns > 0 && bench_now_ns() < due)
        ;
}

static void step(long number, char *const *buffers, int bytes, long units, double slower, int64_t latency_ns, int sums,
                 int overlap)
{
    double value = rank, sum;
    long more = rank == size / 2 ? units / 2 : 0;
    compute_even(units + more);
    long scaled = (long)((double)units * slower);
    if (!overlap)
        compute_scaled(scaled);
    exchange(buffers[0], buffers[1], bytes, latency_ns, overlap ? scaled : 0);
    if (sums && number % 10 == 0)
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 8) {
        fputs("usage: exchange STEPS BYTES WORK SLOWER LATENCY_US SUMS OVERLAP\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    long steps = atol(argv[1]), units = atol(argv[3]);
    int bytes = atoi(argv[2]) > (int)sizeof(int64_t) ? atoi(argv[2]) : (int)sizeof(int64_t);
    char *buffers[] = {calloc(SIDES, (size_t)bytes), calloc(SIDES, (size_t)bytes)};
    for (long i = 0; i < steps && i < LONGEST_STEPS && buffers[0] && buffers[1]; i++)
        step(i, buffers, bytes, units, atof(argv[4]), (int64_t)(1000 * atof(argv[5])), atoi(argv[6]), atoi(argv[7]));
    free(buffers[0]);
    free(buffers[1]);
    MPI_Finalize();
    return 0;
}
