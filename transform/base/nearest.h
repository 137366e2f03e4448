/* Suggestions for misspelt words. */
#ifndef HIERA_NEAREST_H
#define HIERA_NEAREST_H

#include <glib.h>

/* Find the known word that is most similar to a misspelt word.
 *
 * @param written  the misspelt word
 * @param there    the known words; may end with NULL before `n`
 * @param n        number of known words
 * @return  one of `there`; NULL if none is similar */
const char *hiera_nearest(const char *written, const char *const *there, guint n);

#endif
