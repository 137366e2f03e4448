/* Programs into which our libraries cannot be preloaded: those of another dynamic loader (of musl, of another glibc),
 * or of another machine (32 bits). With a preload they would not start, or print errors. Also safe in children of vfork
 * and in signal handlers. */
#pragma once

#include <stddef.h>

/* Find the dynamic loader of this program. Called once, when the collector is loaded. */
void hiera_other_loader_load(void);

/* Return how many bytes an environment takes that fits the program (or script) at this path. 0: `environment` fits. */
size_t hiera_other_loader_bytes(const char *path, char *const *environment);

/* Make an environment without Hiera's libraries. `bytes`: as many as hiera_other_loader_bytes() has returned. */
char *const *hiera_other_loader_environment(void *bytes, char *const *environment);
