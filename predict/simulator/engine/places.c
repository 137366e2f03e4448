/* A hash table with linear probing, at most half full. Removal moves later entries back, so that no deletion marks are
 * needed. */
#include "places.h"

static guint32 home_of(const Places *places, PlaceKey key)
{
    guint64 hash = (key.a * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) ^ key.b;
    hash = (hash ^ hash >> 29) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    return (guint32)(hash ^ hash >> 32) & places->mask;
}

static gboolean is_key(const Place *place, PlaceKey key)
{
    return place->key.a == key.a && place->key.b == key.b;
}

Place *places_find(const Places *places, PlaceKey key)
{
    if (places->n == 0)
        return NULL;
    for (guint32 at = home_of(places, key); places->table[at].used; at = (at + 1) & places->mask) {
        if (is_key(&places->table[at], key))
            return &places->table[at];
    }
    return NULL;
}

static Place *put(Places *places, PlaceKey key)
{
    guint32 at = home_of(places, key);
    while (places->table[at].used)
        at = (at + 1) & places->mask;
    places->table[at].used = TRUE;
    places->table[at].key = key;
    return &places->table[at];
}

static void grow(Places *places)
{
    Place *old = places->table;
    guint32 n_old = old ? places->mask + 1 : 0;
    places->mask = n_old > 0 ? n_old * 2 - 1 : 63;
    places->table = g_new0(Place, (gsize)places->mask + 1);
    for (guint32 i = 0; i < n_old; i++) {
        if (old[i].used)
            *put(places, old[i].key) = old[i];
    }
    g_free(old);
}

Place *places_add(Places *places, PlaceKey key)
{
    if (!places->table || places->n > places->mask / 2)
        grow(places);
    places->n++;
    return put(places, key);
}

void places_remove(Places *places, Place *place)
{
    Place *table = places->table;
    guint32 hole = (guint32)(place - table), mask = places->mask;
    for (guint32 at = (hole + 1) & mask; table[at].used; at = (at + 1) & mask) {
        guint32 home = home_of(places, table[at].key);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table[hole] = table[at];
            hole = at;
        }
    }
    table[hole].used = FALSE;
    places->n--;
}

void places_clear(Places *places)
{
    g_free(places->table);
    *places = (Places){0};
}
