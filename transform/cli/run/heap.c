/* See heap.h. Only glibc's allocator can be tuned; with another C library these functions do nothing. */
#include "heap.h"
#include "needs.h"
#ifdef __GLIBC__
#include <malloc.h>

/* The graph is the largest allocation, so memory freed before is given back to the system: large arrays get mappings of
 * their own. By default glibc would place them in the heap once an array of that size has been freed; there they are
 * copied when they grow, and leave holes. */
static void give_back(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

/* Measures allocate and free arrays as long as the trace, one after the other. Freed memory is kept and reused,
 * because the kernel has to clear new pages, which takes a third of the time of a measure. Memory freed by the threads
 * that read the traces is reused by the measures. */
static void keep(void)
{
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1); /* never give freed memory at the end of the heap back to the system */
    mallopt(M_ARENA_MAX, 1);
}

void heap_release(void)
{
    malloc_trim(0);
}
#else
static void give_back(void)
{
}
static void keep(void)
{
}
void heap_release(void)
{
}
#endif

void heap_tune(const Options *options)
{
    if (needs_graph(options))
        give_back();
    else
        keep();
}
