/* What libhiera-malloc.so tells: how much each thread has taken from malloc and given back.
 *
 * The library is preloaded beside libhiera, which finds it by a weak symbol (base/program_memory.h). Bytes are those
 * that the allocator has set aside (malloc_usable_size), so that what is given back is what was taken. */
#ifndef HIERA_MALLOC_COUNTS_H
#define HIERA_MALLOC_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraMallocCounts {
    uint64_t allocations, frees; /* a realloc() is one of each */
    uint64_t bytes_allocated, bytes_freed;
} HieraMallocCounts;

enum { HIERA_MALLOC_VERSION = 1 };

typedef struct HieraMallocLibrary {
    int version;
    /* Whether the program uses the malloc that is counted: one that it is linked with may come first, or not tell
     * sizes. */
    bool (*is_used)(void);
    /* Of this thread, since some time; of all threads, also those that have ended. */
    void (*read_thread)(HieraMallocCounts *counts);
    void (*read_process)(HieraMallocCounts *counts);
    /* Forget what this thread has counted since read_thread(). */
    void (*reset_thread)(const HieraMallocCounts *counts);
    /* Calls from this code are not counted. */
    void (*leave_out)(const void *begin, const void *end);
} HieraMallocLibrary;

extern const HieraMallocLibrary hiera_malloc_library __attribute__((weak, visibility("default")));

#endif
