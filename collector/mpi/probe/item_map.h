/* A hash table of items that begin with their key. One thread at a time may use it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HieraItemKey {
    uint64_t a, b; /* the two words of a key; `a` is not 0 */
} HieraItemKey;

typedef struct HieraItemMap {
    size_t item_bytes;
    char *items;
    size_t n, room;
} HieraItemMap;

/* Return the item with this key; it moves when another one is added or removed. NULL: there is none. */
void *hiera_item_find(const HieraItemMap *map, HieraItemKey key);

/* The same; if there is none, it is made, with zeros behind its key. NULL: there is no memory, or the map has a million
 * items. */
void *hiera_item_make(HieraItemMap *map, HieraItemKey key);

/* Remove an item that hiera_item_find() has returned. */
void hiera_item_remove(HieraItemMap *map, void *item);
