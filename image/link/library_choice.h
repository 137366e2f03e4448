/* Selects the libraries of a program that are analysed. */
#pragma once

#include <glib.h>

/* Whether a library is analysed. The C library, libm and MPI never are.
 *
 * @param words  "own" or NULL: all except these and the runtimes of compilers; "none"; or patterns of names, separated
 * by commas, with or without the part from ".so" on: libraries that match
 * @param name   file name of the library, like libfoo.so.1 */
gboolean hiera_library_is_chosen(const char *words, const char *name);
/* Whether a function is analysed if its library is: those of C++ that need more than their code are not. @param name as
 * in the symbol table; NULL: it has none */
gboolean hiera_library_function_is_chosen(const char *name);
