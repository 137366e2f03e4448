/* Memory mappings of this process, read from /proc/self/maps without malloc and the dynamic linker: safe in a signal
 * handler. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraMapping {
    uintptr_t begin, end;
    uintptr_t base; /* address of the first mapping of the same file */
    char path[512]; /* path of the mapped file, cut to fit; "": memory without a file */
} HieraMapping;

/* Find the mapping that contains an address. Returns false if there is none, or if /proc cannot be read. */
bool hiera_maps_find(uintptr_t address, HieraMapping *mapping);

/* Call `visit` for each line of /proc/self/maps until `visit` returns true. Returns whether `visit` did. */
bool hiera_maps_lines(bool (*visit)(const char *line, void *data), void *data);

/* As hiera_maps_lines() and hiera_maps_find(), but for addresses in records. The records are of this process, or of
 * another one whose trace this process completes: then hiera_maps_take() has named a file of such lines.
 * hiera_maps_walk_places() calls `visit` for each mapping in ascending order of addresses, until it returns true. */
bool hiera_maps_walk_places(bool (*visit)(const HieraMapping *mapping, void *data), void *data);
bool hiera_maps_find_place(uintptr_t address, HieraMapping *mapping);

void hiera_maps_take(const char *path);
const char *hiera_maps_taken(void); /* the path given to hiera_maps_take(); NULL: none */
