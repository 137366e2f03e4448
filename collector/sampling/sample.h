/* One sample of a thread. */
#pragma once

#include <stdint.h>

typedef struct HieraSample {
    uint64_t ticks; /* time, as in records */
    const void *address;
    uint32_t periods; /* number of periods that it stands for; more than 1: the timer was late */
    uintptr_t stack;  /* stack pointer; 0: not known */
} HieraSample;
