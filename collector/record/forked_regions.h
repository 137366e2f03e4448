/* Regions of a child of fork from before it began MPI (process/children.h): those of its parent, which are open in it,
 * too, and those that began while it slept, which are not recorded. Their ends come when no later region is open any
 * more. */
#ifndef HIERA_FORKED_REGIONS_H
#define HIERA_FORKED_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraForked {
    uint64_t open;
    uint64_t missed; /* how many began while it slept */
} HieraForked;

extern HieraForked hiera_forked;

/* An end that belongs to no recorded region. Returns whether it is of one of these. */
bool hiera_forked_end(void);

#endif
