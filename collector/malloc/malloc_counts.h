/* The interface of libhiera-malloc.so: how much each thread has allocated with malloc and freed.
 *
 * The library is preloaded beside libhiera, which finds it by a weak symbol (base/program_memory.h). Bytes are those
 * that the allocator has reserved (malloc_usable_size), so that freed bytes match allocated bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HieraMallocCounts {
    uint64_t allocations, frees; /* number of calls; a realloc() counts as one of each */
    uint64_t bytes_allocated, bytes_freed;
} HieraMallocCounts;

enum { HIERA_MALLOC_VERSION = 2 };

typedef struct HieraMallocLibrary {
    int version;
    /* Whether the program uses the counted malloc: a malloc that the program is linked with may come first, or may lack
     * malloc_usable_size(). */
    bool (*is_used)(void);
    /* Get the counts of the calling thread, since an arbitrary moment; the counts of all threads, also ended ones. */
    void (*read_thread)(HieraMallocCounts *counts);
    void (*read_process)(HieraMallocCounts *counts);
    /* Set the calling thread's counts back to what read_thread() has returned. */
    void (*reset_thread)(const HieraMallocCounts *counts);
    /* Do not count calls that code in this address range makes. */
    void (*leave_out)(const void *begin, const void *end);
    /* Find the block in which an address lies, and how many bytes the program has asked for. Known with
     * HIERA_CHECK=buffers. */
    bool (*find_block)(uintptr_t address, uintptr_t *begin, size_t *bytes);
} HieraMallocLibrary;

extern const HieraMallocLibrary hiera_malloc_library __attribute__((weak, visibility("default")));
