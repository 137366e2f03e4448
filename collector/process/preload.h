/* LD_PRELOAD: a list of libraries, by which programs inherit Hiera. */
#ifndef HIERA_PRELOAD_H
#define HIERA_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>

/* Copy the list without the libraries whose file has this name (`n` bytes of it: they begin so); `instead`, if any, is
 * in the place of the first of them. `to` has room for both, and three bytes more.
 *
 * @return  whether there was one. No malloc: for signal handlers, and for children of vfork */
bool hiera_preload_copy(char *to, const char *list, const char *name, size_t n, const char *instead);

#endif
