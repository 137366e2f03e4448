/* What the programs of the benchmark share: reading clocks, and reporting to stopwatch. */
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

/* Return the CPU time of all threads of this process. */
static inline int64_t bench_processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Send words NAME=NUMBER to stopwatch; format and arguments are those of printf(). */
#define BENCH_REPORT(...)                                                                                              \
    do {                                                                                                               \
        const char *fd = getenv(BENCH_REPORT_FD);                                                                      \
        if (fd)                                                                                                        \
            dprintf(atoi(fd), __VA_ARGS__);                                                                            \
    } while (0)

/* Use a value in a loop, so that the compiler neither removes nor merges its computation. */
#define BENCH_USE(value) __asm__ volatile("" : : "g"(value) : "memory")
