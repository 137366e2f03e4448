/* Programs into which our libraries cannot be preloaded: those of another dynamic loader (of musl, of another glibc),
 * or of another machine (32 bits). With a preload they would not start, or print errors. Also safe in children of vfork
 * and in signal handlers. */
#pragma once

#include <stddef.h>

/* Called once, when the collector is loaded. */
void hiera_other_loader_load(void);

/* Return the size of an environment that fits the program (or script) at this path. 0: the given one fits. */
size_t hiera_other_loader_bytes(const char *path, char *const *environment);

/* Make that environment, without our libraries, in a block of that size. */
char *const *hiera_other_loader_environment(void *bytes, char *const *environment);
