/* What the programs of the benchmark share: the clock, and the line in which they report. */
#ifndef HIERA_BENCH_H
#define HIERA_BENCH_H

#include <stdint.h>
#include <time.h>

/* Environment variable with the number of a file descriptor: stopwatch reads there what the program says of itself. */
#define BENCH_REPORT_FD "HIERA_BENCH_FD"

static inline int64_t bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Keeps the compiler from removing or merging what a loop computes. */
#define BENCH_USE(value) __asm__ volatile("" : : "g"(value) : "memory")

#endif
