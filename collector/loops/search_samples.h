/* Counts samples by place, to find the functions that take the time. All functions are called with the lock held. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Addresses in the same block of this many bytes count as one place. */
enum { HIERA_SPOT_BYTES = 512 };

typedef struct HieraAddressRange {
    uintptr_t begin, end;
} HieraAddressRange;

/* Number of samples outside MPI so far; *inside: how many of them are in the range. */
uint64_t hiera_search_samples(const HieraAddressRange *range, uint64_t *inside);

/* The place outside MPI with most samples for which `is_done` is false.
 *
 * @param samples  receives the number of samples outside MPI
 * @param of_place receives the number of samples at the place
 * @return  an address; 0: there is none */
uintptr_t hiera_search_hottest(bool (*is_done)(uintptr_t address), uint64_t *samples, uint64_t *of_place);
