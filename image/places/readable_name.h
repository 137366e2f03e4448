/* Names of functions as the source has them. */
#ifndef HIERA_IMAGE_READABLE_NAME_H
#define HIERA_IMAGE_READABLE_NAME_H

#include <glib.h>

/* Return the name in the source of a symbol, to be freed with g_free: C++ names are demangled where libstdc++ is
 * installed, the spelling of gfortran is undone.
 *
 * @param file  source file of the function, whose ending tells the language; NULL if it is not known */
char *hiera_readable_name(const char *symbol, const char *file);

/* Whether a user who writes `name` means this symbol: the symbol itself, its name in the source, or that without its
 * arguments. */
gboolean hiera_name_means(const char *name, const char *symbol);

#endif
