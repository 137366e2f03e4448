/* Counts of a thread: it alone changes them, without a lock. */
#ifndef HIERA_MALLOC_COUNTING_H
#define HIERA_MALLOC_COUNTING_H

#include <stddef.h>

/* The functions here are those that the program uses. */
void hiera_count_begin(void);

/* The code at `caller` has taken a block of this size, or gives one back. Neither allocates nor changes errno. */
void hiera_count_taken(const void *caller, size_t bytes);
void hiera_count_given(const void *caller, size_t bytes);

#endif
