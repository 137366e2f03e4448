/* Loops whose times it measures itself. Writes them into the file that it is given, with its rank behind the name: "WHAT SECONDS" lines. `timed FILE
 * ROUNDS SECONDS`: so many executions of work(); 0: for so many seconds of CPU time, or five; -1: other ranks than the first spend
 * most of that elsewhere; -2: all ranks spend most of it in fixed(). */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Times {
    double function, first, nested, second, called;
} Times;

static volatile double sink;
static volatile int call_rounds = 2000;

/* Called inside a loop: not that loop's own time. */
static __attribute__((noinline, noclone)) double callee(int i)
{
    double sum = i;
    for (int j = 0; j < call_rounds; j++)
        sum = sum * 0.5 + j;
    return sum;
}

/* Takes an address inside itself, so that it cannot be moved. It lies close to work(). */
static __attribute__((noinline, noclone)) double fixed(int rounds)
{
    double sum = 1;
#ifdef __x86_64__
    void *here;
    __asm__ volatile("lea 0f(%%rip), %0\n0:" : "=r"(here));
    sum += here == NULL;
#endif
    for (int j = 0; j < rounds; j++)
        sum = sum * 0.999 + j;
    return sum;
}

/* The three loops of Boccardo et al. (2005), chapter 4.3, and one with calls and an MPI call. */
static __attribute__((noinline, noclone)) double work(Times *times, int scale)
{
    double sum = 1, begin = seconds(), at = begin;
    for (int i = 0; i < 100; i++) {
        double before = seconds();
        for (int j = 0; j < 3000 * scale; j++)
            sum = sum * 0.999 + j;
        times->nested += seconds() - before;
    }
    times->first += seconds() - at;
    at = seconds();
    for (int i = 0; i < 50000 * scale; i++)
        sum = sum * 0.99 + i;
    times->second += seconds() - at;
    at = seconds();
    for (int i = 0; i < 50; i++)
        sum += callee(i);
    times->called += seconds() - at;
    times->function += seconds() - begin;
    sink = sum;
    return sum;
}

static volatile sig_atomic_t n_children;

/* The program has no children. */
static void count_child(int number)
{
    (void)number;
    n_children++;
}

static void *work_in_thread(void *times)
{
    work(times, 1);
    return NULL;
}

int main(int argc, char **argv)
{
    Times times = {0}, of_thread = {0};
    pthread_t thread;
    int rank, rounds = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGCHLD, count_child);
    double until = cpu_seconds() + (argc > 3 ? atof(argv[3]) : 5);
    for (int i = 0; rounds > 0 ? i < rounds : cpu_seconds() < until; i++) {
        work(&times, 1);
        for (int j = 0; rounds == -1 && rank > 0 && j < 5000; j++)
            sink = callee(i);
        if (rounds == -2)
            sink = fixed(400 * call_rounds);
        MPI_Barrier(MPI_COMM_SELF);
    }
    pthread_create(&thread, NULL, work_in_thread, &of_thread);
    pthread_join(thread, NULL);
    printf("rank %d: %.17g, %d children\n", rank, rounds > 0 ? sink : 0, (int)n_children);
    if (argc > 1 && strcmp(argv[1], "-") != 0) {
        char name[4096];
        snprintf(name, sizeof name, "%s.%d", argv[1], rank);
        FILE *file = fopen(name, "w");
        fprintf(file, "function %.9f\nfirst %.9f\nnested %.9f\nsecond %.9f\ncalled %.9f\n", times.function + of_thread.function,
                times.first + of_thread.first, times.nested + of_thread.nested, times.second + of_thread.second, times.called + of_thread.called);
        fclose(file);
    }
    MPI_Finalize();
    return 0;
}
