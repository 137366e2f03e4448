/* Programs to trace: loops of cheap calls, in which the cost of tracing shows.
 *
 * Usage: workload NAME ITERATIONS. Reports the time just before MPI_Init, the begin and end of its loop, and the
 * processor time of that. Compiled twice: linked with libhiera, and with HIERA_DISABLE and without the library. */
#include "bench.h"
#include "hiera.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 4 calls per iteration: a message from the process to itself. */
static void run_self(long n, int rank)
{
    int out = 1, in = 0;
    for (long i = 0; i < n; i++) {
        MPI_Request send, receive;
        MPI_Irecv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &receive);
        MPI_Isend(&out, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &send);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    BENCH_USE(in);
}

/* 4 calls per iteration: a message to itself, whose length differs from nearly all of the last thousand. */
static void run_changing(long n, int rank)
{
    enum { LONGEST = 1024 };
    static char out[LONGEST], in[LONGEST];
    for (long i = 0; i < n; i++) {
        MPI_Request send, receive;
        int length = (int)(i * 389 % LONGEST);
        MPI_Irecv(in, LONGEST, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &receive);
        MPI_Isend(out, length, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &send);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    BENCH_USE(in[0]);
}

/* 2 calls per iteration on each of 2 ranks: a message of 8 bytes there and back. */
static void run_ping_pong(long n, int rank)
{
    double value = 1.0;
    for (long i = 0; i < n; i++) {
        if (rank == 0) {
            MPI_Send(&value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        }
    }
    BENCH_USE(value);
}

/* 2 calls per iteration on each rank: a double is reduced to rank 0, then on all ranks. */
static void run_reduce(long n, int rank)
{
    double own = rank, sum = 0.0;
    for (long i = 0; i < n; i++) {
        MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    BENCH_USE(sum);
}

/* 1 region per iteration, with nothing in it. */
static void run_regions(long n, int rank)
{
    for (long i = 0; i < n; i++) {
        hiera_begin("app", "empty", NULL);
        BENCH_USE(rank);
        hiera_end();
    }
}

/* 1 assertion per iteration, which asks for a variable and for the summed time of calls. */
static void run_assertions(long n, int rank)
{
    for (long i = 0; i < n; i++) {
        HIERA_ASSERT("MPITime / WallTime < 0.2 & $rank >= 0", rank);
        BENCH_USE(rank);
    }
}

/* 1 assertion per iteration, which asks for the thread's page faults, read by a system call. */
static void run_faults(long n, int rank)
{
    for (long i = 0; i < n; i++) {
        HIERA_ASSERT("PageFaults >= 0 & $rank >= 0", rank);
        BENCH_USE(rank);
    }
}

/* 1 assertion per iteration, which asks for two counters of the CPU, if it has them. */
static void run_events(long n, int rank)
{
    for (long i = 0; i < n; i++) {
        HIERA_ASSERT("Instructions > Cycles & $rank >= 0", rank);
        BENCH_USE(rank);
    }
}

/* The hooks that -finstrument-functions calls around each function; libc has empty ones. */
void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

/* 1 function call per iteration, too short to be recorded. */
static void run_functions(long n, int rank)
{
    for (long i = 0; i < n; i++) {
        __cyg_profile_func_enter((void *)run_functions, NULL);
        BENCH_USE(rank);
        __cyg_profile_func_exit((void *)run_functions, NULL);
    }
}

/* Compute for about 20 µs; each iteration of the loop needs the result of the previous one. */
static double compute(double x)
{
    for (int i = 0; i < 8000; i++)
        x = x * 0.5 + i;
    return x;
}

/* No MPI call: computation alone. */
static void run_compute(long n, int rank)
{
    double x = rank;
    for (long i = 0; i < n; i++)
        x = compute(x);
    BENCH_USE(x);
}

/* Computation alone in four threads that make no MPI call. */
static void run_threads(long n, int rank)
{
#pragma omp parallel num_threads(4)
    run_compute(n / 4, rank);
}

static const struct {
    const char *name;
    void (*run)(long n, int rank);
} workloads[] = {
    {"self", run_self},       {"changing", run_changing},   {"ping-pong", run_ping_pong},   {"reduce", run_reduce},
    {"regions", run_regions}, {"functions", run_functions}, {"assertions", run_assertions}, {"faults", run_faults},
    {"events", run_events},   {"compute", run_compute},     {"threads", run_threads},
};

static void report(int rank, int64_t before_init, int64_t begin, int64_t end, int64_t processor)
{
    BENCH_REPORT("rank=%d init=%lld loop=%lld done=%lld loop_processor=%lld\n", rank, (long long)before_init,
                 (long long)begin, (long long)end, (long long)processor);
}

int main(int argc, char **argv)
{
    int rank;
    int64_t before_init = bench_now_ns();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; argc == 3 && i < sizeof workloads / sizeof workloads[0]; i++) {
        if (strcmp(argv[1], workloads[i].name) != 0)
            continue;
        long n = atol(argv[2]);
        workloads[i].run(n / 100 + 1, rank); /* warm-up, not measured */
        MPI_Barrier(MPI_COMM_WORLD);
        int64_t begin = bench_now_ns(), processor = bench_processor_ns();
        workloads[i].run(n, rank);
        report(rank, before_init, begin, bench_now_ns(), bench_processor_ns() - processor);
        MPI_Finalize();
        return 0;
    }
    MPI_Finalize();
    return 2;
}
