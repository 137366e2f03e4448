/* LD_PRELOAD: the list of preloaded libraries, which programs inherit that this one starts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Copy the list without the libraries whose file names begin with the first `n` bytes of `name`. If `instead` is not
 * NULL, it replaces the first of them. `to` has room for both texts and three more bytes. Does not use malloc: for
 * signal handlers and children of vfork.
 *
 * @return  whether the list had such a library */
bool hiera_preload_copy(char *to, const char *list, const char *name, size_t n, const char *instead);
