/* Memory for writing a trace: pages straight from the kernel.
 *
 * A trace must be written in the middle of anything, of the program's malloc too: in a handler of a fatal signal. So
 * what the writing needs does not come from malloc. With the session's lock held throughout. */
#ifndef HIERA_SIGNAL_SAFE_MEMORY_H
#define HIERA_SIGNAL_SAFE_MEMORY_H

#include <stddef.h>

/* Zeroed bytes, NULL without memory. */
void *hiera_memory_new(size_t bytes);

/* Give back what has `bytes` from hiera_memory_new(); NULL is allowed. */
void hiera_memory_free(void *memory, size_t bytes);

/* Make a block of `old_bytes` one of `bytes`; what is added is zeroed. NULL without memory: the old one stays. */
void *hiera_memory_grow(void *memory, size_t old_bytes, size_t bytes);

/* A copy of a text and its NUL, NULL without memory. */
char *hiera_memory_copy(const char *text);

#endif
