/* See item_map.h. Open addressing; a removed item's slot is filled by a later item, so no slot is lost. */
#include "item_map.h"

#include "probing/probed.h"
#include "text/hash.h"

#include <string.h>

enum { FIRST_ROOM = 64, MOST = 1 << 20 };

static size_t home_of(const HieraItemMap *map, HieraItemKey key)
{
    return hiera_hash_more(hiera_hash_more(0, key.a), key.b) & (map->room - 1);
}

static char *item_at(const HieraItemMap *map, size_t place)
{
    return map->items + place * map->item_bytes;
}

static HieraItemKey *key_at(const HieraItemMap *map, size_t place)
{
    return (HieraItemKey *)(void *)item_at(map, place);
}

/* Return the index of the slot that has this key, or of the empty slot that a new item with this key takes. */
static size_t place_of(const HieraItemMap *map, HieraItemKey key)
{
    size_t place = home_of(map, key);
    while (key_at(map, place)->a && (key_at(map, place)->a != key.a || key_at(map, place)->b != key.b))
        place = (place + 1) & (map->room - 1);
    return place;
}

void *hiera_item_find(const HieraItemMap *map, HieraItemKey key)
{
    size_t place = map->room > 0 ? place_of(map, key) : 0;
    return map->room > 0 && key_at(map, place)->a ? item_at(map, place) : NULL;
}

static bool grow(HieraItemMap *map)
{
    HieraItemMap old = *map;
    size_t room = old.room ? 2 * old.room : FIRST_ROOM;
    char *items = old.n < MOST ? hiera_probed_grow(NULL, 0, room * old.item_bytes) : NULL;
    if (!items)
        return false;
    map->items = items;
    map->room = room;
    for (size_t i = 0; i < old.room; i++)
        if (key_at(&old, i)->a)
            memcpy(item_at(map, place_of(map, *key_at(&old, i))), item_at(&old, i), old.item_bytes);
    hiera_probed_release(old.items, old.room * old.item_bytes);
    return true;
}

void *hiera_item_make(HieraItemMap *map, HieraItemKey key)
{
    void *known = hiera_item_find(map, key);
    if (known || (4 * (map->n + 1) > 3 * map->room && !grow(map)))
        return known;
    HieraItemKey *made = key_at(map, place_of(map, key));
    *made = key;
    map->n++;
    return made;
}

void hiera_item_remove(HieraItemMap *map, void *item)
{
    size_t mask = map->room - 1, hole = (size_t)((char *)item - map->items) / map->item_bytes;
    for (size_t place = (hole + 1) & mask; key_at(map, place)->a; place = (place + 1) & mask) {
        size_t away = (place - home_of(map, *key_at(map, place))) & mask;
        if (away < ((place - hole) & mask))
            continue; /* the item stays where it is: a search for the item does not pass the hole */
        memcpy(item_at(map, hole), item_at(map, place), map->item_bytes);
        hole = place;
    }
    memset(item_at(map, hole), 0, map->item_bytes);
    map->n--;
}
