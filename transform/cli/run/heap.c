/* See heap.h. With another C library than glibc nothing is set. */
#include "heap.h"
#include "needs.h"
#ifdef __GLIBC__
#include <malloc.h>

/* The graph takes most memory at once, so what is freed before goes back to the system: large arrays have mappings of
 * their own. By default glibc would lay them into the heap, once one of their size has been freed; there they are
 * copied when they grow, and leave holes. */
static void give_back(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

/* Measures take and free arrays as long as the trace, one after the other. Memory that has been freed is used again,
 * because new pages take a third of the time of a measure: the kernel has to clear them. What the threads that read
 * the traces have freed is used by the measures. */
static void keep(void)
{
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1); /* never */
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
