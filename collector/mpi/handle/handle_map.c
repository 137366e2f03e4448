#include "handle_map.h"

#include "memory/kept_heap.h"

#include <stdbool.h>

static HieraHandleSlot *window_of(HieraHandleSlot *table, int k, uint64_t key)
{
    return table + hiera_map_place(k, key);
}

HieraHandleSlot *hiera_map_slot(const HieraHandleMap *map, uint64_t key)
{
    for (int k = 0; k < HIERA_MAP_TABLES; k++) {
        HieraHandleSlot *table = __atomic_load_n(&map->tables[k], __ATOMIC_ACQUIRE);
        if (!table)
            return NULL;
        HieraHandleSlot *slot = window_of(table, k, key);
        for (int i = 0; i < HIERA_MAP_WINDOW; i++)
            if (__atomic_load_n(&slot[i].key, __ATOMIC_ACQUIRE) == key)
                return &slot[i];
    }
    return NULL;
}

uint64_t hiera_map_find(const HieraHandleMap *map, uint64_t key)
{
    const HieraHandleSlot *slot = hiera_map_slot(map, key);
    return slot ? __atomic_load_n(&slot->value, __ATOMIC_RELAXED) : 0;
}

/* Return the k-th table of the map, allocated if it does not exist yet; NULL: out of memory. */
static HieraHandleSlot *table_of(HieraHandleMap *map, int k)
{
    HieraHandleSlot *table = __atomic_load_n(&map->tables[k], __ATOMIC_ACQUIRE);
    if (table)
        return table;
    HieraHandleSlot *made = hiera_kept_take_small(hiera_map_table_bytes(k));
    if (made &&
        !__atomic_compare_exchange_n(&map->tables[k], &table, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        hiera_kept_give(made); /* another thread has stored its table first */
        return table;
    }
    return made;
}

static bool claim(HieraHandleSlot *slot, uint64_t key, uint64_t value)
{
    uint64_t free_key = 0;
    if (!__atomic_compare_exchange_n(&slot->key, &free_key, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return false;
    __atomic_store_n(&slot->value, value, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->key, key, __ATOMIC_RELEASE);
    return true;
}

void hiera_map_put(HieraHandleMap *map, uint64_t key, uint64_t value)
{
    HieraHandleSlot *known = hiera_map_slot(map, key);
    if (known) {
        __atomic_store_n(&known->value, value, __ATOMIC_RELAXED);
        return;
    }
    for (int k = 0; k < HIERA_MAP_TABLES; k++) {
        HieraHandleSlot *table = table_of(map, k);
        if (!table)
            return;
        HieraHandleSlot *slot = window_of(table, k, key);
        for (int i = 0; i < HIERA_MAP_WINDOW; i++)
            if (claim(&slot[i], key, value))
                return;
    }
}

/* A window is filled from its first slot, and a key is stored by one atomic operation. So of two threads with the same
 * key, the second finds the key in the slot that it would have taken. */
HieraHandleSlot *hiera_map_make_slot(HieraHandleMap *map, uint64_t key)
{
    for (int k = 0; k < HIERA_MAP_TABLES; k++) {
        HieraHandleSlot *table = table_of(map, k);
        if (!table)
            return NULL;
        HieraHandleSlot *slot = window_of(table, k, key);
        for (int i = 0; i < HIERA_MAP_WINDOW; i++) {
            uint64_t there = __atomic_load_n(&slot[i].key, __ATOMIC_ACQUIRE);
            if (there == 0)
                __atomic_compare_exchange_n(&slot[i].key, &there, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
            if (there == 0 || there == key)
                return &slot[i];
        }
    }
    return NULL;
}

uint64_t hiera_map_take(HieraHandleMap *map, uint64_t key)
{
    HieraHandleSlot *slot = hiera_map_slot(map, key);
    if (!slot)
        return 0;
    uint64_t value = __atomic_load_n(&slot->value, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->key, 0, __ATOMIC_RELEASE);
    return value;
}

void hiera_map_free(HieraHandleMap *map)
{
    for (int k = 0; map && k < HIERA_MAP_TABLES; k++)
        hiera_kept_give(map->tables[k]);
}
