/* What the program takes from malloc and gives back. Known if libhiera-malloc.so is preloaded (malloc/). */
#ifndef HIERA_PROGRAM_MEMORY_H
#define HIERA_PROGRAM_MEMORY_H

#include "malloc/malloc_counts.h"

/* Why it is not known; NULL: it is. */
const char *hiera_program_memory_reason(void);

/* Of this thread, since some time, or of all threads. What the collector allocates is not among it. Takes no lock.
 * @return  false, and zeros, if it is not known */
bool hiera_program_memory_read(bool of_process, HieraMallocCounts *counts);

/* What this thread allocates from the begin to the end is the collector's: libraries do it for it. */
HieraMallocCounts hiera_program_memory_hold(void);
void hiera_program_memory_release(const HieraMallocCounts *held);

/* At load: what libhiera itself allocates is never counted. */
void hiera_program_memory_load(void);

#endif
