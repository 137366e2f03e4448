/* See signal_safe_memory.h.
 *
 * Sizes of blocks are powers of two. Small blocks are cut from pieces of several pages; freed blocks go into a list for
 * their size. A large block is a mapping of its own. Each step leaves the lists consistent: a fault in the middle loses
 * one block at most. */
#include "signal_safe_memory.h"

#include <string.h>
#include <sys/mman.h>

enum { SMALLEST = 5, LARGEST = 16, PIECE = 256 << 10 }; /* powers of two; bytes */

typedef struct Free {
    struct Free *next;
} Free;

static Free *given_back[LARGEST + 1];
static char *piece, *piece_end;

static unsigned power_of(size_t bytes)
{
    unsigned power = SMALLEST;
    while (power <= LARGEST && (size_t)1 << power < bytes)
        power++;
    return power;
}

static void *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void *cut(size_t bytes)
{
    if ((size_t)(piece_end - piece) < bytes) {
        char *fresh = map(PIECE);
        if (!fresh)
            return NULL;
        piece_end = fresh + PIECE;
        piece = fresh;
    }
    char *memory = piece;
    piece += bytes;
    return memory;
}

void *hiera_memory_new(size_t bytes)
{
    unsigned power = power_of(bytes);
    if (power > LARGEST)
        return map(bytes);
    Free *memory = given_back[power];
    if (!memory)
        return cut((size_t)1 << power);
    given_back[power] = memory->next;
    return memset(memory, 0, (size_t)1 << power);
}

void hiera_memory_free(void *memory, size_t bytes)
{
    unsigned power = power_of(bytes);
    if (!memory)
        return;
    if (power > LARGEST) {
        munmap(memory, bytes);
        return;
    }
    Free *block = memory;
    block->next = given_back[power];
    given_back[power] = block;
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
