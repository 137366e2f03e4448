/* Which of the libraries that a program needs are looked into. */
#ifndef HIERA_IMAGE_LIBRARY_CHOICE_H
#define HIERA_IMAGE_LIBRARY_CHOICE_H

#include <glib.h>

/* Whether a library is looked into. The C library, libm and MPI never are.
 *
 * @param words  "own" or NULL: all but these and the runtimes of compilers; "none"; or patterns of names, separated by
 *               commas, with or without what comes from ".so" on: those
 * @param name   of its file, like libfoo.so.1 */
gboolean hiera_library_is_chosen(const char *words, const char *name);

#endif
