/* Counts of each thread's allocations, which only that thread changes, without a lock. */
#pragma once

#include <stddef.h>

/* Called when the next malloc() and malloc_usable_size() are known and of one library: calls are counted now. */
void hiera_count_begin(void);

/* The code at `caller` has allocated a block of this size, or frees one. These functions do not allocate, and keep
 * errno. */
void hiera_count_taken(const void *caller, size_t bytes);
void hiera_count_given(const void *caller, size_t bytes);
