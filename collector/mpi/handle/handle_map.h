/* Map from handle to number, without locks: a chain of hash tables that never move.
 *
 * A key is in one of the tables, in a small window of slots that begins at its hash. If no window has a free slot, a
 * larger table is added. A lookup reads whole windows, so a removal needs no tombstone, and threads do not disturb each
 * other. A value has 64 bits: the caller may store flags above the number. */
#pragma once

#include "text/hash.h"
#include <stddef.h>
#include <stdint.h>

enum { HIERA_MAP_WINDOW = 8, HIERA_MAP_TABLES = 24, HIERA_MAP_FIRST = 64 };

typedef struct HieraHandleSlot {
    uint64_t key; /* key of the handle; 0: the slot is free, 1: a thread is filling the slot */
    uint64_t value;
} HieraHandleSlot;

typedef struct HieraHandleMap {
    HieraHandleSlot *tables[HIERA_MAP_TABLES]; /* tables[k] has (FIRST << k) + WINDOW slots; NULL: not allocated yet */
} HieraHandleMap;

static inline size_t hiera_map_table_bytes(int k)
{
    return (((size_t)HIERA_MAP_FIRST << k) + HIERA_MAP_WINDOW) * sizeof(HieraHandleSlot);
}

/* Return the index in the k-th table of the first slot in which a key may be. */
static inline uint64_t hiera_map_place(int k, uint64_t key)
{
    return hiera_hash_number(key) & (((uint64_t)HIERA_MAP_FIRST << k) - 1);
}

/* Return the number stored for a handle; 0: none. */
uint64_t hiera_map_find(const HieraHandleMap *map, uint64_t key);

/* Set the number (not 0) of a handle. Does nothing if there is no memory. Two threads must not add the same new handle
 * at once; this holds because MPI returns a handle to one caller. */
void hiera_map_put(HieraHandleMap *map, uint64_t key, uint64_t value);

/* Remove a handle from the map; returns its number, 0: it was not in the map. */
uint64_t hiera_map_take(HieraHandleMap *map, uint64_t key);

/* Free the tables of a map (NULL is allowed). No thread may use the map any more. */
void hiera_map_free(HieraHandleMap *map);

/* Return the slot of a handle; NULL if it has none. The slot stays valid if the map's owner never calls
 * hiera_map_take(). */
HieraHandleSlot *hiera_map_slot(const HieraHandleMap *map, uint64_t key);

/* Return the handle's slot if it is the first that is tried, as for most handles; NULL: try hiera_map_slot(). */
static inline HieraHandleSlot *hiera_map_near_slot(const HieraHandleMap *map, uint64_t key)
{
    HieraHandleSlot *table = __atomic_load_n(&map->tables[0], __ATOMIC_ACQUIRE);
    HieraHandleSlot *slot = table ? table + hiera_map_place(0, key) : NULL;
    return slot && __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE) == key ? slot : NULL;
}

/* As hiera_map_slot(), but a handle without a slot gets one, with number 0. NULL if there is no memory. Only for maps
 * whose owner never calls hiera_map_put() or hiera_map_take(): then threads that ask at the same time get the same
 * slot. */
HieraHandleSlot *hiera_map_make_slot(HieraHandleMap *map, uint64_t key);
