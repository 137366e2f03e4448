/* The kept memory of another process at its addresses in this one, which completes the trace of that process
 * (process/recover.h). */
#pragma once

#include "kept_file.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum HieraTaken {
    HIERA_TAKEN,
    HIERA_TAKEN_DAMAGED,  /* the file is damaged */
    HIERA_TAKEN_NOT_HERE, /* an address is in use in this process: another one may have more luck */
} HieraTaken;

/* Map the pieces of memory that a header lists, privately: the file stays as it is. Last, copy the variables of
 * libhiera, from which all other state is reached. */
HieraTaken hiera_taken_map(int file, const HieraKeptHeader *of);

/* Whether the other process's memory that was taken has these bytes. */
bool hiera_taken_has(const void *address, size_t bytes);
