/* A histogram in powers of two: bin k counts the values that have k bits. Most histograms use a few adjacent bins, and
 * only those have memory. With the lock held. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraSpread {
    uint64_t *bins; /* counts of values, of the bins from `first` on; NULL: there are no values */
    uint8_t first, n;
} HieraSpread;

enum { HIERA_SPREAD_BINS = 65 };

static inline unsigned hiera_spread_bin(uint64_t value)
{
    return value == 0 ? 0 : 64u - (unsigned)__builtin_clzll(value);
}

/* Enlarge `bins` so that it includes this bin. False: there is no memory. */
bool hiera_spread_widen(HieraSpread *spread, unsigned bin);

/* Count `times` values that belong into this bin. False: there is no memory. */
static inline bool hiera_spread_add(HieraSpread *spread, unsigned bin, uint64_t times)
{
    unsigned at = bin - spread->first;
    if (__builtin_expect(at >= spread->n, 0)) {
        if (!hiera_spread_widen(spread, bin))
            return false;
        at = bin - spread->first;
    }
    spread->bins[at] += times;
    return true;
}

/* Add all values of the histogram `from` to the histogram `to`. */
void hiera_spread_merge(HieraSpread *to, const HieraSpread *from);

void hiera_spread_free(HieraSpread *spread);
