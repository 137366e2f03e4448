/* The sizes of blocks that the program has allocated, by address: see counting.h.
 *
 * Addresses are cut into chunks of 64 KB. A chunk in which a block begins has a table with the size of the block that
 * begins at each 16 bytes; a chunk that a block reaches from an earlier one names the begin of this block. Tables are
 * made when they are needed, by mmap, and stay. There is no lock: an entry is one word, and the program itself orders
 * what it does with one block. */
#include "counting.h"

#include <errno.h>
#include <sys/mman.h>

enum { GRAIN_BITS = 4, CHUNK_BITS = 16, REGION_BITS = 31, ADDRESS_BITS = 47 };
enum { GRAINS = 1 << (CHUNK_BITS - GRAIN_BITS), CHUNKS = 1 << (REGION_BITS - CHUNK_BITS) };
enum { REGIONS = 1 << (ADDRESS_BITS - REGION_BITS) };

/* Larger blocks are not kept: each of their chunks takes a step. */
#define LARGEST (UINT64_C(1) << 36)

typedef struct Chunk {
    uint64_t sizes[GRAINS]; /* bytes + 1 of the block that begins here; 0: none does */
} Chunk;

typedef struct Region {
    Chunk *chunks[CHUNKS];
    uintptr_t around[CHUNKS]; /* the block in which the first byte of the chunk lies, if it begins before; 0: none */
} Region;

static Region *regions[REGIONS];
static bool are_kept;

void hiera_blocks_begin(void)
{
    are_kept = true;
}

/* Return the table that a pointer names, which is made if it is not there yet and `makes`; NULL: none. */
static void *table_of(void **pointer, size_t bytes, bool makes)
{
    void *table = __atomic_load_n(pointer, __ATOMIC_ACQUIRE), *other = NULL;
    if (table || !makes)
        return table;
    int saved_errno = errno;
    table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED) {
        table = NULL;
    } else if (!__atomic_compare_exchange_n(pointer, &other, table, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        munmap(table, bytes);
        table = other;
    }
    errno = saved_errno;
    return table;
}

static Region *region_of(uintptr_t address, bool makes)
{
    return address >> ADDRESS_BITS ? NULL : table_of((void **)&regions[address >> REGION_BITS], sizeof(Region), makes);
}

static unsigned chunk_number(uintptr_t address)
{
    return (unsigned)(address >> CHUNK_BITS) % CHUNKS;
}

static unsigned grain_number(uintptr_t address)
{
    return (unsigned)(address >> GRAIN_BITS) % GRAINS;
}

static Chunk *chunk_of(uintptr_t address, bool makes)
{
    Region *region = region_of(address, makes);
    return region ? table_of((void **)&region->chunks[chunk_number(address)], sizeof(Chunk), makes) : NULL;
}

/* Note in all chunks behind the first one of a block that they belong to it, or (`block` 0) no longer. */
static void mark_chunks(uintptr_t begin, size_t bytes, uintptr_t block)
{
    uintptr_t first = (begin >> CHUNK_BITS) + 1, last = bytes > 0 ? (begin + bytes - 1) >> CHUNK_BITS : 0;
    for (uintptr_t chunk = first; chunk <= last; chunk++) {
        Region *region = region_of(chunk << CHUNK_BITS, block != 0);
        if (region)
            __atomic_store_n(&region->around[chunk % CHUNKS], block, __ATOMIC_RELAXED);
    }
}

void hiera_blocks_add(const void *block, size_t bytes)
{
    uintptr_t begin = (uintptr_t)block;
    Chunk *chunk = are_kept && bytes < LARGEST && begin % (1 << GRAIN_BITS) == 0 ? chunk_of(begin, true) : NULL;
    if (!chunk)
        return;
    mark_chunks(begin, bytes, begin);
    __atomic_store_n(&chunk->sizes[grain_number(begin)], (uint64_t)bytes + 1, __ATOMIC_RELAXED);
}

uint64_t hiera_blocks_remove(const void *block)
{
    uintptr_t begin = (uintptr_t)block;
    Chunk *chunk = are_kept && begin % (1 << GRAIN_BITS) == 0 ? chunk_of(begin, false) : NULL;
    uint64_t size = chunk ? __atomic_exchange_n(&chunk->sizes[grain_number(begin)], 0, __ATOMIC_RELAXED) : 0;
    if (size > 1)
        mark_chunks(begin, (size_t)size - 1, 0);
    return size;
}

/* Return the begin of the last block that begins in the chunk of an address, at this address or before; 0: none. */
static uintptr_t find_begin(uintptr_t address)
{
    const Chunk *chunk = chunk_of(address, false);
    for (unsigned i = grain_number(address) + 1; chunk && i-- > 0;)
        if (__atomic_load_n(&chunk->sizes[i], __ATOMIC_RELAXED))
            return (address >> CHUNK_BITS << CHUNK_BITS) + ((uintptr_t)i << GRAIN_BITS);
    const Region *region = region_of(address, false);
    return region ? __atomic_load_n(&region->around[chunk_number(address)], __ATOMIC_RELAXED) : 0;
}

bool hiera_blocks_find(uintptr_t address, uintptr_t *begin, size_t *bytes)
{
    uintptr_t found = are_kept ? find_begin(address) : 0;
    const Chunk *chunk = found ? chunk_of(found, false) : NULL;
    uint64_t size = chunk ? __atomic_load_n(&chunk->sizes[grain_number(found)], __ATOMIC_RELAXED) : 0;
    if (size == 0 || address - found >= size - 1)
        return false;
    *begin = found;
    *bytes = (size_t)size - 1;
    return true;
}
