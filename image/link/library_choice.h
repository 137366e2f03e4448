/* Selects the libraries of a program that are analysed. */
#pragma once

#include <glib.h>

/* Whether a library is analysed. The C library, libm and MPI never are.
 *
 * @param words  "own" or NULL: all except these and the runtimes of compilers; "none"; or patterns of names, separated
 * by commas, with or without the part from ".so" on: libraries that match
 * @param name   file name of the library, like libfoo.so.1 */
gboolean hiera_library_is_chosen(const char *words, const char *name);
