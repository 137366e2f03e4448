/* Shared by the programs of the benchmark: the clock, and the line of their report. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Environment variable with the number of the file descriptor from which stopwatch reads the program's report. */
#define BENCH_REPORT_FD "HIERA_BENCH_FD"

static inline int64_t bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The processor time of all threads of this process. */
static inline int64_t bench_processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Send words NAME=NUMBER to stopwatch; the arguments are those of printf. */
#define BENCH_REPORT(...)                                                                                              \
    do {                                                                                                               \
        const char *fd = getenv(BENCH_REPORT_FD);                                                                      \
        if (fd)                                                                                                        \
            dprintf(atoi(fd), __VA_ARGS__);                                                                            \
    } while (0)

/* Keeps the compiler from removing or merging what a loop computes. */
#define BENCH_USE(value) __asm__ volatile("" : : "g"(value) : "memory")
