/* Constructs of OpenMP with nothing in them, one after the other: what recording adds to them.
 *
 * Usage: openmp CONSTRUCT ITERATIONS BLOCKS. Reports the processor time of the main thread, which also begins the
 * regions. BLOCKS of 48 bytes are allocated before the runtime starts: a region of two threads takes up to 90 ns more
 * or less by where on the cache lines the runtime's memory is. Compiled by GCC and by clang. */
#include "bench.h"

#include <mpi.h>
#include <omp.h>
#include <string.h>

static omp_lock_t lock;

static int64_t thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void run_parallel(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp parallel
        BENCH_USE(i);
    }
}

/* What threads do together: each function is called by all of them. */
static void run_for(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp for schedule(static)
        for (int k = 0; k < 2; k++)
            BENCH_USE(k);
    }
}

static void run_dynamic(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp for schedule(dynamic)
        for (int k = 0; k < 2; k++)
            BENCH_USE(k);
    }
}

static void run_barrier(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp barrier
    }
}

static void run_single(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp single
        BENCH_USE(i);
    }
}

static void run_critical(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp critical
        BENCH_USE(i);
    }
}

static void run_lock(long n)
{
    for (long i = 0; i < n; i++) {
        omp_set_lock(&lock);
        BENCH_USE(i);
        omp_unset_lock(&lock);
    }
}

static void run_task(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
        BENCH_USE(i);
        if (i % 64 == 63) {
#pragma omp taskwait
        }
    }
}

typedef void Run(long n);

static int64_t in_team(Run *run, long n)
{
    int64_t ns = 0;
#pragma omp parallel
    {
        int64_t begin = thread_ns();
        run(n);
#pragma omp master
        ns = thread_ns() - begin;
    }
    return ns;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        Run *run;
    } all[] = {{"for", run_for},           {"dynamic", run_dynamic}, {"barrier", run_barrier}, {"single", run_single},
               {"critical", run_critical}, {"lock", run_lock},       {"task", run_task}};
    const long n = argc == 4 ? atol(argv[2]) : 0;
    int64_t ns = -1;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided); /* before it, buffers are larger than usual */
    for (long i = 0; n > 0 && i < atol(argv[3]); i++)
        BENCH_USE(malloc(40));
    omp_init_lock(&lock);
    if (n > 0 && strcmp(argv[1], "parallel") == 0) {
        int64_t begin = thread_ns();
        run_parallel(n);
        ns = thread_ns() - begin;
    }
    for (size_t i = 0; n > 0 && i < sizeof all / sizeof *all; i++)
        if (strcmp(argv[1], all[i].name) == 0)
            ns = in_team(all[i].run, n);
    MPI_Finalize();
    BENCH_REPORT(" thread=%lld", (long long)ns);
    return ns < 0 ? 2 : 0;
}
