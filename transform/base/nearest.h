/* What somebody may have meant who wrote a word that is not known. */
#ifndef HIERA_NEAREST_H
#define HIERA_NEAREST_H

#include <glib.h>

/* The word among those there are that is nearest to what was written, NULL if none is near. @param n  how many; NULL
 * ends them, too */
const char *hiera_nearest(const char *written, const char *const *there, guint n);

#endif
