/* Which of many known words is most similar to a misspelt one. */
#ifndef HIERA_TEXT_NEAREST_H
#define HIERA_TEXT_NEAREST_H

#include <stddef.h>

typedef struct HieraNearest {
    const char *best; /* NULL if none is similar */
    const char *word;
    size_t length;
    size_t fewest; /* changes to the best one, or what is too many */
} HieraNearest;

/* Begin a search. The word is not copied. */
HieraNearest hiera_nearest_begin(const char *word, size_t length);
/* Compare with a known word, which becomes the best one if it is more similar than all before. */
void hiera_nearest_offer(HieraNearest *nearest, const char *known);
/* The whole search among `n` known words, which may end with NULL before.
 * @return  one of `known`; NULL if none is similar */
const char *hiera_nearest_of(const char *word, const char *const *known, size_t n);

#endif
