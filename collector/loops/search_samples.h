/* Counts samples by address, to find the functions that take the time. All functions need the lock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Samples in the same block of so many bytes of code are counted together. */
enum { HIERA_SPOT_BYTES = 512 };

typedef struct HieraAddressRange {
    uintptr_t begin, end;
} HieraAddressRange;

/* Return the number of samples outside MPI so far; *inside: the number of these in the address range. */
uint64_t hiera_search_samples(const HieraAddressRange *range, uint64_t *inside);

/* The place outside MPI with most samples for which `is_done` is false.
 *
 * @param samples  receives the number of samples outside MPI
 * @param of_place receives the number of samples at the place
 * @return  an address; 0: there is none */
uintptr_t hiera_search_hottest(bool (*is_done)(uintptr_t address), uint64_t *samples, uint64_t *of_place);
