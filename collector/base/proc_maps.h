/* What is mapped where in this process, read from /proc/self/maps without malloc or the dynamic linker, whose locks may
 * be taken: safe in a signal handler. */
#ifndef HIERA_PROC_MAPS_H
#define HIERA_PROC_MAPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraMapping {
    uintptr_t begin, end;
    uintptr_t base; /* where the file's first mapping begins */
    char path[512]; /* "" for memory without a file; cut off if it is longer */
} HieraMapping;

/* Each mapping, in the order of their addresses, until `visit` returns true. Returns whether it did. */
bool hiera_maps_walk(bool (*visit)(const HieraMapping *mapping, void *data), void *data);

/* The mapping that an address lies in. False if there is none, or nobody tells. */
bool hiera_maps_find(uintptr_t address, HieraMapping *mapping);

#endif
