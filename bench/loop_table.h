/* The loops whose times bench/timed_loops.c holds against the undisturbed ones. */
#pragma once

#include <stdint.h>

typedef struct {
    const char *symbol, *name;
    uint64_t (*function)(uint64_t);
    uint64_t n;      /* argument */
    int is_long;     /* whether each execution of a loop takes at least a microsecond */
    unsigned events; /* events in a call of the function, where each is one; 0: not known */
} BenchLoop;

extern const BenchLoop bench_loops[];
extern const int bench_n_loops;
