/* Whether a file system has room for kept memory (kept_memory.h): only a small share of the free bytes is taken. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether so many bytes may be taken of the file system of this file. `in_memory`: it must be a memory file system, and
 * half of it stays free. */
bool hiera_kept_has_share(int fd, bool in_memory, uint64_t bytes);

/* Whether a file may be `end` bytes long; beyond the limit of file sizes (ulimit -f) the kernel raises SIGXFSZ. */
bool hiera_kept_is_below_limit(uint64_t end);

/* Whether the folder is on a disk of this computer. Mapped files elsewhere would cause network traffic by themselves.
 */
bool hiera_kept_is_local(const char *folder);
