/* attached FILE: steps that take a millisecond each, until there is this file. Each has a region of a library inside, and an
 * instrumented function; rank 0 adds a byte to FILE.steps. A child of fork lives as long. */
#include <hiera.h>
#include <mpi.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As -finstrument-functions would do. */
extern void __cyg_profile_func_enter(void *function, void *site);
extern void __cyg_profile_func_exit(void *function, void *site);

static __attribute__((noinline)) void solve(void)
{
    void *site = __builtin_return_address(0);
    __cyg_profile_func_enter((void *)solve, site);
    for (double until = cpu_seconds() + 0.001; cpu_seconds() < until;)
        for (int i = 0; i < 1000; i++)
            sink = sink * 0.5 + i;
    __cyg_profile_func_exit((void *)solve, site);
}

int main(int argc, char **argv)
{
    int rank, steps = 0, counted = -1;
    char path[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        while (access(argv[1], F_OK) != 0 && getppid() == parent)
            usleep(10000);
        _exit(0);
    }
    if (rank == 0 && snprintf(path, sizeof path, "%s.steps", argv[1]) > 0)
        counted = open(path, O_WRONLY | O_CREAT, 0600);
    for (int is_over = 0; !is_over; steps++) {
        hiera_begin("app", "step", NULL);
        hiera_begin("lib", "solve", NULL);
        solve();
        hiera_end();
        hiera_end();
        is_over = access(argv[1], F_OK) == 0 || (rank == 0 && write(counted, "", 1) != 1);
        MPI_Bcast(&is_over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    printf("rank %d: %s\n", rank, steps > 0 ? "steps" : "no steps");
    waitpid(child, NULL, 0);
    MPI_Finalize();
    return 0;
}
