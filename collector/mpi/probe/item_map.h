/* A hash table of items, each of which begins with its key. One thread at a time may use it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HieraItemKey {
    uint64_t a, b; /* a key has two words; `a` is never 0 */
} HieraItemKey;

typedef struct HieraItemMap {
    size_t item_bytes;
    char *items;
    size_t n, room;
} HieraItemMap;

/* Return the item with this key; NULL: there is none. The item moves when another one is added or removed. */
void *hiera_item_find(const HieraItemMap *map, HieraItemKey key);

/* Return the item with this key; if there is none, add one with zeros behind its key. NULL: there is no memory, or the
 * map has a million items. */
void *hiera_item_make(HieraItemMap *map, HieraItemKey key);

/* Remove an item; `item` is what hiera_item_find() has returned. */
void hiera_item_remove(HieraItemMap *map, void *item);
