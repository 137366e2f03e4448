/* The three experiments with loops of Boccardo et al. (2005), chapter 4; see README.md.
 *
 * experiments                 the functions run once, shortly
 * experiments running SECONDS main calls child() again and again: experiment 2
 * experiments clock TIMES     third() runs so many times, and measures itself: experiment 3 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEEP __attribute__((noinline, noclone))

static volatile double sink;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Experiment 1: six loops; five of them nested to depth 4, and one beside them. */
static KEEP double six(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++)
                sink = sum += k;
            for (int k = 0; k < n; k++) {
                sink = sum *= 0.5;
                for (int l = 0; l < n; l++)
                    sink = sum += l;
            }
        }
        sink = sum;
    }
    for (int i = 0; i < n; i++)
        sink = sum -= i;
    return sum;
}

static KEEP double grandchild(double sum)
{
    return sink + sum;
}

/* Experiment 2: two loops with a function call between them. */
static KEEP double child(int scale)
{
    double sum = 1;
    for (int i = 0; i < 100000 * scale; i++)
        sum = sum * 0.999 + i;
    sum = grandchild(sum);
    for (int i = 0; i < 50000 * scale; i++)
        sum = sum * 0.998 + i;
    return sum;
}

typedef struct Times {
    double function, first, nested, second;
} Times;

/* Experiment 3: a loop with an inner loop, then a short loop. Adds its measured times to *times. */
static KEEP double third(Times *times, int scale)
{
    double sum = 1, begin = seconds(), at = begin;
    for (int i = 0; i < 100; i++) {
        double before = seconds();
        for (int j = 0; j < 30000 * scale; j++)
            sum = sum * 0.999 + j;
        times->nested += seconds() - before;
    }
    times->first += seconds() - at;
    at = seconds();
    for (int i = 0; i < 5000 * scale; i++)
        sum = sum * 0.998 + i;
    times->second += seconds() - at;
    times->function += seconds() - begin;
    return sum;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 0;
    Times times = {0};
    MPI_Init(&argc, &argv);
    if (strcmp(what, "running") == 0) {
        for (double until = seconds() + n; seconds() < until;)
            sink = child(1000);
    } else if (strcmp(what, "clock") == 0) {
        for (int i = 0; i < n; i++)
            sink = third(&times, 100);
        printf("function %.6f\nfirst %.6f\nnested %.6f\nsecond %.6f\n", times.function, times.first, times.nested,
               times.second);
    } else {
        sink = six(10) + child(1) + third(&times, 1);
    }
    MPI_Finalize();
    return 0;
}
