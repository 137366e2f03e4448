/* Where samples are: which functions take the time. All functions are called with the lock held. */
#ifndef HIERA_SEARCH_SAMPLES_H
#define HIERA_SEARCH_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

/* Addresses so near to each other count as one place. */
enum { HIERA_SPOT_BYTES = 512 };

typedef struct HieraAddressRange {
    uintptr_t begin, end;
} HieraAddressRange;

/* How many samples outside MPI there are up to now, and how many of them are in a range. */
uint64_t hiera_search_samples(const HieraAddressRange *range, uint64_t *inside);

/* The place outside MPI that has most samples, of those that `is_done` does not know.
 *
 * @param samples  receives how many there are outside MPI
 * @param of_place receives how many are there
 * @return  an address; 0: there is none */
uintptr_t hiera_search_hottest(bool (*is_done)(uintptr_t address), uint64_t *samples, uint64_t *of_place);

#endif
