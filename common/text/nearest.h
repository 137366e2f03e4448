/* Finds the most similar one of many known words for a misspelt word. */
#pragma once

#include <stddef.h>

typedef struct HieraNearest {
    const char *best; /* NULL if none is similar */
    const char *word;
    size_t length;
    size_t fewest; /* changes needed for the best one; at first, the number that is too many */
} HieraNearest;

/* Begin a search for this word, which is not copied. */
HieraNearest hiera_nearest_begin(const char *word, size_t length);
/* Compare with a known word, which becomes the best one if it is more similar than all earlier ones. */
void hiera_nearest_offer(HieraNearest *nearest, const char *known);
/* Search among `n` known words; a NULL among them ends the list earlier.
 * @return  one of `known`; NULL if none is similar */
const char *hiera_nearest_of(const char *word, const char *const *known, size_t n);
