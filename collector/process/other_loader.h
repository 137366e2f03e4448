/* Programs that nothing of ours can be preloaded into: those of another dynamic loader (of musl, of another glibc), or
 * of another machine (32 bits). They would not start, or be told of. For children of vfork and signal handlers too. */
#ifndef HIERA_OTHER_LOADER_H
#define HIERA_OTHER_LOADER_H

#include <stddef.h>

/* Once, when the collector is loaded. */
void hiera_other_loader_load(void);

/* How many bytes an environment takes that is fit for the program (or script) at this path. 0: this one is. */
size_t hiera_other_loader_bytes(const char *path, char *const *environment);

/* Make that environment, without our libraries, in so many bytes. */
char *const *hiera_other_loader_environment(void *bytes, char *const *environment);

#endif
