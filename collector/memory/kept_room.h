/* Is there room for kept memory (kept_memory.h)? A guest takes a small share. */
#ifndef HIERA_KEPT_ROOM_H
#define HIERA_KEPT_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* May so many bytes be taken of the file system that this file is in? `in_memory`: it must be a memory file system, and
 * half of it stays free. */
bool hiera_kept_has_share(int fd, bool in_memory, uint64_t bytes);

/* May a file end there? At the limit of file sizes the kernel would raise a signal. */
bool hiera_kept_is_below_limit(uint64_t end);

/* Is the folder on a disk of this computer? Mapped files elsewhere load a network without being asked. */
bool hiera_kept_is_local(const char *folder);

#endif
