/* The kept memory of another process at its addresses in this one, which completes the trace of that process
 * (process/recover.h). */
#pragma once

#include "kept_file.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum HieraTakenMemory {
    HIERA_TAKEN,
    HIERA_TAKEN_DAMAGED,  /* the file is damaged */
    HIERA_TAKEN_NOT_HERE, /* an address is in use in this process: another one may have more luck */
} HieraTakenMemory;

/* Map the pieces of memory that a header lists, privately: the file stays as it is. Last, copy the variables of
 * libhiera, from which all other state is reached. */
HieraTakenMemory hiera_taken_map(int file, const HieraKeptHeader *of);

/* For a process that lives: reserve memory at the addresses of the pieces; drop it again. */
HieraTakenMemory hiera_taken_reserve(int file, const HieraKeptHeader *of);
void hiera_taken_drop(void);

/* Read all of the process's memory into what was reserved, and libhiera's variables last. *same: it is what was there,
 * from the last time. Returns false if the file ends early. */
bool hiera_taken_read(int file, bool *same);

/* Whether the other process's memory that was taken has these bytes. */
bool hiera_taken_has(const void *address, size_t bytes);
