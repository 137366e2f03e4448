/* Counts of the program's malloc and free calls; known only if libhiera-malloc.so is preloaded (malloc/). */
#pragma once

#include "malloc/malloc_counts.h"

/* Return why the counts are not known; NULL if they are known. */
const char *hiera_program_memory_reason(void);

/* Read the counts of this thread, since some earlier time, or of all threads. Allocations of the collector are not
 * included. Takes no lock. @return  false, and zeros, if the counts are not known */
bool hiera_program_memory_read(bool of_process, HieraMallocCounts *counts);

/* Between hold and release, allocations of the calling thread (by libraries that Hiera calls) are not counted. */
HieraMallocCounts hiera_program_memory_hold(void);
void hiera_program_memory_release(const HieraMallocCounts *held);

/* Find the block of the program's memory in which an address lies, and its size as the program has asked for it.
 * @return  whether that is known: only with HIERA_CHECK=buffers */
bool hiera_program_memory_block(uintptr_t address, uintptr_t *begin, size_t *bytes);

/* At load: exclude from the counts what libhiera's own code allocates. */
void hiera_program_memory_load(void);
