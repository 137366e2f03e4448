/* Whether there is room for kept memory (kept_memory.h). The collector takes only a small share of the free room. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether so many bytes may be taken of the file system of this file. `in_memory`: it must be a memory file system, and
 * half of it stays free. */
bool hiera_kept_has_share(int fd, bool in_memory, uint64_t bytes);

/* Whether a file may end at this position. At the limit of file sizes the kernel would raise a signal. */
bool hiera_kept_is_below_limit(uint64_t end);

/* Whether the folder is on a disk of this computer. Mapped files elsewhere would cause network traffic by themselves.
 */
bool hiera_kept_is_local(const char *folder);
