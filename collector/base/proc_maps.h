/* Memory mappings of this process, read from /proc/self/maps without malloc and the dynamic linker: safe in a signal
 * handler. */
#ifndef HIERA_PROC_MAPS_H
#define HIERA_PROC_MAPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraMapping {
    uintptr_t begin, end;
    uintptr_t base; /* address of the file's first mapping */
    char path[512]; /* "" for memory without a file; longer paths are cut */
} HieraMapping;

/* Call `visit` for each mapping in the order of addresses, until it returns true. Returns true if it did. */
bool hiera_maps_walk(bool (*visit)(const HieraMapping *mapping, void *data), void *data);

/* Find the mapping of an address. Returns false if there is none, or if /proc cannot be read. */
bool hiera_maps_find(uintptr_t address, HieraMapping *mapping);

#endif
