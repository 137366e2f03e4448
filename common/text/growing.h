/* Arrays whose capacity is their number of items, rounded up to a power of two, at least 8. */
#pragma once

#include <stdlib.h>

/* Enlarge an array of n items by one. @return  the array, which may have moved; NULL if memory is short: then the array
 * is unchanged */
static inline void *hiera_grow(void *items, size_t n, size_t size)
{
    if (n == 0)
        return realloc(items, 8 * size);
    return n >= 8 && (n & (n - 1)) == 0 ? realloc(items, 2 * n * size) : items;
}
