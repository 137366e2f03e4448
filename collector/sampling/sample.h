/* One look at a thread. */
#ifndef HIERA_SAMPLE_H
#define HIERA_SAMPLE_H

#include <stdint.h>

typedef struct HieraSample {
    uint64_t ticks; /* as in records */
    const void *address;
    uint32_t periods; /* for which it stands; more than 1: the timer was late */
    uintptr_t stack;  /* the pointer to it; 0: not known */
} HieraSample;

#endif
