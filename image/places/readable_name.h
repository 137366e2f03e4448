/* Converts symbols to function names as in the source. */
#pragma once

#include <glib.h>

/* Return the name in the source of a symbol, to be freed with g_free: C++ names are demangled if libstdc++ is
 * installed, gfortran's name mangling is undone.
 *
 * @param file  source file of the function, whose ending shows the language; NULL if it is not known */
char *hiera_readable_name(const char *symbol, const char *file);

/* Return the symbol of the function from which the compiler made a copy or a part: without ".constprop.0", ".part.1",
 * "._omp_fn.0". Another symbol is copied, and so is that of a part for cold code. To be freed with g_free */
char *hiera_name_without_clone(const char *symbol);

/* Whether a name given by a user matches this symbol: the symbol itself, its name in the source, or that without its
 * arguments; or one of these of the function from which the compiler made it. */
gboolean hiera_name_means(const char *name, const char *symbol);
