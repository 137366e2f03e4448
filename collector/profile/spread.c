#include "spread.h"

#include "memory/signal_safe_memory.h"

#include <string.h>

enum { LEAST = 4 };

bool hiera_spread_widen(HieraSpread *spread, unsigned bin)
{
    unsigned first = spread->n == 0 || bin < spread->first ? bin : spread->first;
    unsigned end = spread->n > 0 && spread->first + spread->n > bin ? spread->first + spread->n : bin + 1;
    unsigned n = LEAST;
    while (n < end - first)
        n *= 2;
    if (first + n > HIERA_SPREAD_BINS) {
        n = n > HIERA_SPREAD_BINS ? HIERA_SPREAD_BINS : n;
        first = HIERA_SPREAD_BINS - n;
    }
    uint64_t *bins = hiera_memory_new(n * sizeof *bins);
    if (!bins)
        return false;
    if (spread->n > 0)
        memcpy(bins + (spread->first - first), spread->bins, spread->n * sizeof *bins);
    HieraSpread old = *spread;
    *spread = (HieraSpread){bins, (uint8_t)first, (uint8_t)n};
    hiera_spread_free(&old);
    return true;
}

void hiera_spread_merge(HieraSpread *to, const HieraSpread *from)
{
    for (unsigned i = 0; i < from->n; i++)
        if (from->bins[i] > 0)
            hiera_spread_add(to, from->first + i, from->bins[i]);
}

void hiera_spread_free(HieraSpread *spread)
{
    hiera_memory_free(spread->bins, spread->n * sizeof *spread->bins);
    *spread = (HieraSpread){0};
}
