/* Takes a known part of its CPU time in each of two loops, and in a thread that records nothing. Prints what must be the same when it
 * is sampled: its descriptors, its signals' actions, and how often a call that waits was interrupted. */
#include <dirent.h>
#include <errno.h>
#include <hiera.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static volatile double sink;

/* Each with a constant of its own: a compiler may make one function of equal ones. */
static __attribute__((noinline)) void spin_long(double seconds)
{
    double until = cpu_seconds() + seconds;
    do
        for (int i = 0; i < 100000; i++)
            sink = sink * 0.5 + i;
    while (cpu_seconds() < until);
}

static __attribute__((noinline)) void spin_short(double seconds)
{
    double until = cpu_seconds() + seconds;
    do
        for (int i = 0; i < 100000; i++)
            sink = sink * 0.5 + 2 * i;
    while (cpu_seconds() < until);
}

static __attribute__((noinline)) void spin_quietly(double seconds)
{
    double until = cpu_seconds() + seconds;
    do
        for (int i = 0; i < 100000; i++)
            sink = sink * 0.5 + 3 * i;
    while (cpu_seconds() < until);
}

static void *be_quiet(void *nothing)
{
    spin_quietly(0.5);
    return nothing;
}

/* Descriptors that stay open; the directory's own is not counted. */
static int count_descriptors(void)
{
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        n++;
    closedir(folder);
    return n;
}

/* Calls that Linux never restarts. With timers they may be interrupted, so the number is printed only if it is asked for. */
static int count_interrupted(void)
{
    int n = 0;
    for (int i = 0; i < 50; i++) {
        spin_short(0.001);
        n += poll(NULL, 0, 1) < 0 && errno == EINTR;
    }
    return n;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    MPI_Init(&argc, &argv);
    int rank, before = count_descriptors();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hiera_begin("app", "all", NULL);
    hiera_begin("app", "long", NULL);
    spin_long(0.6);
    hiera_end();
    hiera_begin("app", "short", NULL);
    spin_short(0.2);
    hiera_end();
    hiera_begin("app", "threads", NULL);
    pthread_create(&thread, NULL, be_quiet, NULL);
    pthread_join(thread, NULL);
    hiera_end();
    hiera_end();
    int interrupted = count_interrupted();
    /* At once: lines of several ranks are not mixed. */
    if (argc > 1)
        printf("rank %d: %d more descriptors, %d interrupted\n", rank, count_descriptors() - before, interrupted);
    else
        printf("rank %d: %d more descriptors\n", rank, count_descriptors() - before);
    if (argc > 2) {
        fflush(stdout);
        sleep(1); /* of samples in the kernel's memory nothing is left: they are taken out meanwhile */
        raise(atoi(argv[2]));
    }
    MPI_Finalize();
    return 3;
}
