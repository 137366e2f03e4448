#include "store.h"
#include <stdlib.h>
#include <string.h>

struct HieraStoreBlock {
    HieraStoreBlock *next;
    size_t bytes; /* size of the block including this head */
};

enum { UNIT = 16, FIRST_BLOCK = 4096, DOUBLINGS = 4 };

void *hiera_host_take(const HieraProbeHost *host, size_t bytes)
{
    return host->grow ? host->grow(NULL, 0, bytes) : calloc(1, bytes);
}

void hiera_host_release(const HieraProbeHost *host, void *memory, size_t bytes)
{
    if (!memory)
        return;
    if (host->grow)
        host->release(memory, bytes);
    else
        free(memory);
}

void hiera_probe_store_init(HieraProbeStore *store, const HieraProbeHost *host, size_t *budget)
{
    *store = (HieraProbeStore){.host = host, .budget = budget};
}

void hiera_probe_store_clear(HieraProbeStore *store)
{
    while (store->blocks) {
        HieraStoreBlock *block = store->blocks;
        store->blocks = block->next;
        hiera_host_release(store->host, block, block->bytes);
    }
}

/* --- blocks of memory --- */

static bool take_budget(size_t *budget, size_t bytes)
{
    size_t left = budget ? __atomic_load_n(budget, __ATOMIC_RELAXED) : 0;
    while (budget && bytes <= left) {
        if (__atomic_compare_exchange_n(budget, &left, left - bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
    }
    return !budget;
}

static bool add_block(HieraProbeStore *store, size_t bytes)
{
    if (!take_budget(store->budget, bytes))
        return false;
    HieraStoreBlock *block = hiera_host_take(store->host, bytes);
    if (!block) {
        if (store->budget)
            __atomic_fetch_add(store->budget, bytes, __ATOMIC_RELAXED);
        return false;
    }
    *block = (HieraStoreBlock){store->blocks, bytes};
    store->blocks = block;
    store->n_blocks++;
    store->next = (char *)block + UNIT;
    store->left = bytes - UNIT;
    return true;
}

/* Allocate a block with room for these bytes or, if there is memory, more. Later blocks are larger. */
static bool add_room(HieraProbeStore *store, size_t bytes)
{
    size_t usual = (size_t)FIRST_BLOCK << (store->n_blocks < DOUBLINGS ? store->n_blocks : DOUBLINGS);
    if (bytes > SIZE_MAX / 2)
        return false;
    return (bytes + UNIT < usual && add_block(store, usual)) || add_block(store, bytes + UNIT);
}

/* --- parts of blocks --- */

size_t hiera_probe_store_round(size_t bytes)
{
    return bytes <= UNIT ? UNIT : (size_t)1 << (64 - __builtin_clzll((unsigned long long)bytes - 1));
}

/* The list of returned parts of this size; NULL if the size is no power of two. */
static void **find_returned(HieraProbeStore *store, size_t bytes)
{
    bool is_power = bytes >= UNIT && (bytes & (bytes - 1)) == 0;
    unsigned class = is_power ? (unsigned)__builtin_ctzll((unsigned long long)bytes) : HIERA_STORE_CLASSES;
    return class < HIERA_STORE_CLASSES ? &store->returned[class] : NULL;
}

void *hiera_probe_store_take(HieraProbeStore *store, size_t bytes)
{
    bytes = (bytes + UNIT - 1) & ~(size_t)(UNIT - 1);
    void **returned = find_returned(store, bytes);
    if (returned && *returned) {
        void *part = *returned;
        memcpy(returned, part, sizeof part);
        return memset(part, 0, bytes);
    }
    if (bytes > store->left && !add_room(store, bytes))
        return NULL;
    store->next += bytes;
    store->left -= bytes;
    return store->next - bytes;
}

void hiera_probe_store_return(HieraProbeStore *store, void *part, size_t bytes)
{
    void **returned = find_returned(store, bytes);
    if (!part || !returned)
        return;
    memcpy(part, returned, sizeof *returned);
    *returned = part;
}

void *hiera_probe_store_scratch(HieraProbeStore *store, size_t bytes)
{
    if (bytes > store->n_scratch) {
        size_t room = hiera_probe_store_round(bytes);
        char *scratch = hiera_probe_store_take(store, room);
        if (!scratch)
            return NULL;
        hiera_probe_store_return(store, store->scratch, store->n_scratch);
        store->scratch = scratch;
        store->n_scratch = room;
    }
    return store->scratch;
}
