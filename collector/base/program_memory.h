/* Counts of the program's malloc and free calls. Known if libhiera-malloc.so is preloaded (malloc/). */
#pragma once

#include "malloc/malloc_counts.h"

/* The reason why the counts are not known; NULL if they are known. */
const char *hiera_program_memory_reason(void);

/* Read the counts of this thread, since some earlier time, or of all threads. Allocations of the collector are not
 * included. Takes no lock. @return  false, and zeros, if the counts are not known */
bool hiera_program_memory_read(bool of_process, HieraMallocCounts *counts);

/* Between these calls, allocations of this thread belong to the collector: libraries make them on its behalf. */
HieraMallocCounts hiera_program_memory_hold(void);
void hiera_program_memory_release(const HieraMallocCounts *held);

/* At load: exclude allocations that libhiera itself makes. */
void hiera_program_memory_load(void);
