/* A malloc that does not tell how large a block is. Its blocks have nothing before them: the first one is at the begin
 * of readable memory. */
#include <stdlib.h>
#include <sys/mman.h>

enum { BLOCK = 64 << 10, MOST = 64 << 20, GUARD = 64 << 10 };

static char *memory;
static size_t used;

__attribute__((visibility("default"))) void *malloc(size_t bytes)
{
    if (!memory) {
        char *all = mmap(NULL, GUARD + MOST, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED || mprotect(all + GUARD, MOST, PROT_READ | PROT_WRITE) != 0)
            return NULL;
        memory = all + GUARD;
    }
    if (bytes > BLOCK || used == MOST)
        return NULL;
    used += BLOCK;
    return memory + used - BLOCK;
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t bytes)
{
    return malloc(n * bytes);
}

__attribute__((visibility("default"))) void *realloc(void *block, size_t bytes)
{
    return block && bytes <= BLOCK ? block : malloc(bytes);
}

__attribute__((visibility("default"))) void free(void *block)
{
    (void)block;
}

/* Blocks that come another way than by realloc() would be counted only when they are given back. */
__attribute__((visibility("default"))) void *reallocarray(void *block, size_t n, size_t bytes)
{
    (void)block;
    (void)n;
    (void)bytes;
    return NULL;
}
