/* Converts symbols to function names as in the source. */
#pragma once

#include <glib.h>

/* Return the name in the source of a symbol, to be freed with g_free: C++ names are demangled if libstdc++ is
 * installed, gfortran's name mangling is undone.
 *
 * @param file  source file of the function, whose ending shows the language; NULL if it is not known */
char *hiera_readable_name(const char *symbol, const char *file);

/* Whether a name given by a user matches this symbol: the symbol itself, its name in the source, or that without its
 * arguments. */
gboolean hiera_name_means(const char *name, const char *symbol);
