/* libhiera-malloc.so is preloaded before a malloc that does not tell how large a block is (sizeless_malloc_library.c):
 * it does not ask another library for that, and says that it does not count. */
#include "malloc/malloc_counts.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    HieraMallocCounts counts;
    char *volatile block = malloc(100);
    block = realloc(block, 1000);
    block = reallocarray(block, 100, 20);
    bool has_all = block != NULL;
    free(block);
    if (!has_all || !&hiera_malloc_library || hiera_malloc_library.is_used()) {
        fprintf(stderr, "there is no block, or it is counted\n");
        return 1;
    }
    hiera_malloc_library.read_process(&counts);
    return counts.allocations + counts.bytes_allocated > 0;
}
