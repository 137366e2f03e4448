/* See signal_safe_memory.h.
 *
 * Sizes of blocks are powers of two. Small blocks are cut from pieces of several pages, each linked to the
 * previous one; freed blocks go into a list for their size. A large block is a mapping of its own. Each step leaves the
 * lists consistent: a fault in the middle loses one block at most. */
#include "signal_safe_memory.h"

#include "kept_memory.h"

#include <stdbool.h>
#include <string.h>

enum { SMALLEST = 5, LARGEST = HIERA_POOL_SIZES - 1, PIECE = 256 << 10 }; /* log2 of block sizes; bytes of a piece */

static HieraPool pool;           /* memory of hiera_memory_new(); the caller holds the lock */
static HieraPoolBlock *outdated; /* list of pieces from before hiera_memory_renew() */

static unsigned power_of(size_t bytes)
{
    unsigned power = SMALLEST;
    while (power <= LARGEST && (size_t)1 << power < bytes)
        power++;
    return power;
}

static void *cut(HieraPool *from, size_t bytes)
{
    if ((size_t)(from->end - from->piece) < bytes) {
        char *fresh = hiera_kept_map(PIECE);
        if (!fresh)
            return NULL;
        HieraPoolBlock *piece = (HieraPoolBlock *)(void *)fresh;
        piece->next = from->pieces;
        from->pieces = piece;
        from->end = fresh + PIECE;
        from->piece = fresh + (1 << SMALLEST);
    }
    char *memory = from->piece;
    from->piece += bytes;
    return memory;
}

void *hiera_pool_new(HieraPool *from, size_t bytes)
{
    unsigned power = power_of(bytes);
    if (power > LARGEST)
        return hiera_kept_map(bytes);
    HieraPoolBlock *memory = from->given_back[power];
    if (!memory)
        return cut(from, (size_t)1 << power);
    from->given_back[power] = memory->next;
    return memset(memory, 0, (size_t)1 << power);
}

void hiera_pool_free(HieraPool *to, void *memory, size_t bytes)
{
    unsigned power = power_of(bytes);
    if (!memory)
        return;
    if (power > LARGEST) {
        hiera_kept_unmap(memory, bytes);
        return;
    }
    HieraPoolBlock *block = memory;
    block->next = to->given_back[power];
    to->given_back[power] = block;
}

void hiera_memory_renew(void)
{
    HieraPoolBlock **last = &pool.pieces;
    while (*last)
        last = &(*last)->next;
    *last = outdated;
    outdated = pool.pieces;
    pool = (HieraPool){0};
}

void *hiera_memory_new(size_t bytes)
{
    return hiera_pool_new(&pool, bytes);
}

static bool is_outdated(const char *memory)
{
    for (const HieraPoolBlock *piece = outdated; piece; piece = piece->next)
        if (memory > (const char *)piece && memory < (const char *)piece + PIECE)
            return true;
    return false;
}

void hiera_memory_free(void *memory, size_t bytes)
{
    if (!is_outdated(memory))
        hiera_pool_free(&pool, memory, bytes);
}

void *hiera_memory_grow(void *memory, size_t old_bytes, size_t bytes)
{
    void *bigger = hiera_memory_new(bytes);
    if (!bigger || !memory)
        return bigger;
    memcpy(bigger, memory, old_bytes);
    hiera_memory_free(memory, old_bytes);
    return bigger;
}

char *hiera_memory_copy(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = hiera_memory_new(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}
