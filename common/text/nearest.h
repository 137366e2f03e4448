/* Finds the most similar one of many known words for a misspelt word. */
#pragma once

#include <stddef.h>

typedef struct HieraNearest {
    const char *best; /* the most similar word so far; NULL: none is similar */
    const char *word;
    size_t length;
    size_t fewest; /* edit distance of `best`; at first, the least distance that is too large */
} HieraNearest;

/* Begin a search for the known word most similar to `word`, which is not copied. */
HieraNearest hiera_nearest_begin(const char *word, size_t length);
/* Compare with a known word, which becomes `best` if it is more similar than all earlier ones. */
void hiera_nearest_offer(HieraNearest *nearest, const char *known);
/* Search among `n` known words; a NULL among them ends the list earlier.
 * @return  one of `known`; NULL if none is similar */
const char *hiera_nearest_of(const char *word, const char *const *known, size_t n);
