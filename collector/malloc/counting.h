/* Counts of a thread: only the thread changes them, without a lock. */
#pragma once

#include <stddef.h>

/* Called when it is known that the program uses the functions of this library. */
void hiera_count_begin(void);

/* The code at `caller` has allocated a block of this size, or frees one. These functions do not allocate, and keep
 * errno. */
void hiera_count_taken(const void *caller, size_t bytes);
void hiera_count_given(const void *caller, size_t bytes);
