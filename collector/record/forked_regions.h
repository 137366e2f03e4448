/* Regions of a child of fork that has not begun MPI yet (process/children.h). Some are regions of its parent that are
 * open in the child, too; others began while the child slept, and are not recorded. Their ends come when no later
 * region is open. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraForked {
    uint64_t open;
    uint64_t missed; /* number of regions that began in the child before its MPI_Init, while it recorded nothing */
} HieraForked;

extern HieraForked hiera_forked;

/* Handle an end that belongs to no recorded region. Returns whether hiera_forked counts its region as open. */
bool hiera_forked_end(void);
