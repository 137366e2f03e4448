/* Counts of each thread's allocations, which only that thread changes; and the sizes of blocks. Without a lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called when the next malloc() and malloc_usable_size() are known and of one library: calls are counted now. */
void hiera_count_begin(void);

/* The code at `caller` has allocated a block of this size, or frees one. These functions do not allocate, and keep
 * errno. */
void hiera_count_taken(const void *caller, size_t bytes);
void hiera_count_given(const void *caller, size_t bytes);

/* Let the sizes of blocks be kept from now on. */
void hiera_blocks_begin(void);
/* Keep how many bytes the program has asked for in a block. Aligned to 16 bytes, or it is not kept. */
void hiera_blocks_add(const void *block, size_t bytes);
/* Forget a block, before it is freed. @return  its bytes + 1; 0: it is not known */
uint64_t hiera_blocks_remove(const void *block);
/* Find the block in which an address lies. */
bool hiera_blocks_find(uintptr_t address, uintptr_t *begin, size_t *bytes);
