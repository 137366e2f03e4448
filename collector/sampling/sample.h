/* One sample of where a thread is. */
#pragma once

#include <stdint.h>

typedef struct HieraSample {
    uint64_t ticks; /* time of the sample, in ticks as in HieraRecord */
    const void *address;
    uint32_t periods; /* number of sampling periods that the sample stands for: 1, or more if the timer was late */
    uintptr_t stack;  /* stack pointer of the thread; 0: not known */
} HieraSample;
