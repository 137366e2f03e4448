/* A clock that is 64 times as slow: for counting the collector's instructions with valgrind, which slows a program down
 * about as much. The writer keeps the texts of times whose first digits are the same; with the true clock these hold
 * only for a call or two there. meson setup build-slow -Dtransform=disabled -Dc_args="-include $PWD/bench/slow_clock.h"
 */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <time.h>

#define BENCH_SLOWER 64u

static inline int bench_slow_clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = clock_gettime(clock, time);
    unsigned long long ns = (time->tv_sec * 1000000000ull + (unsigned long long)time->tv_nsec) / BENCH_SLOWER;
    time->tv_sec = (time_t)(ns / 1000000000u);
    time->tv_nsec = (long)(ns % 1000000000u);
    return result;
}

#define clock_gettime          bench_slow_clock_gettime
#define __builtin_ia32_rdtsc() (__builtin_ia32_rdtsc() / BENCH_SLOWER)
