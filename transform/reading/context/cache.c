/* See cache.h. Strings are in a hash table with open addressing. It is searched about four times for each operation;
 * a GHashTable would cost an allocation each time, because the texts are not terminated. */
#include "cache.h"
#include "base/hash.h"
#include <string.h>

#define LONGEST    256 /* longest text that is cached, in bytes */
#define FIRST_SIZE 256

typedef struct {
    const char *string;
    guint32 hash, length;
} Slot;

struct HieraCache {
    HieraCatalog *catalog;
    Slot *slots;
    guint32 size, used; /* number of slots, a power of two; number of strings */
    GHashTable *sites;
};

HieraCache *hiera_cache_new(HieraCatalog *catalog)
{
    HieraCache *cache = g_new0(HieraCache, 1);
    cache->catalog = catalog;
    cache->size = FIRST_SIZE;
    cache->slots = g_new0(Slot, cache->size);
    cache->sites = g_hash_table_new(hiera_site_hash, hiera_site_equal);
    return cache;
}

void hiera_cache_free(HieraCache *cache)
{
    if (!cache)
        return;
    g_hash_table_unref(cache->sites);
    g_free(cache->slots);
    g_free(cache);
}

static Slot *find(Slot *slots, guint32 size, guint32 hash, const char *text, gsize length)
{
    guint32 at = hash & (size - 1);
    while (slots[at].string) {
        if (slots[at].hash == hash && slots[at].length == length && memcmp(slots[at].string, text, length) == 0)
            break;
        at = (at + 1) & (size - 1);
    }
    return &slots[at];
}

static void grow(HieraCache *cache)
{
    guint32 size = cache->size * 2;
    Slot *slots = g_new0(Slot, size);
    for (guint32 i = 0; i < cache->size; i++) {
        const Slot *old = &cache->slots[i];
        if (old->string)
            *find(slots, size, old->hash, old->string, old->length) = *old;
    }
    g_free(cache->slots);
    cache->slots = slots;
    cache->size = size;
}

const char *hiera_cache_intern(HieraCache *cache, const char *text, gsize length)
{
    if (length == 0 || length > LONGEST)
        return hiera_catalog_intern(cache->catalog, text, length);
    guint32 hash = hiera_hash(text, length);
    Slot *slot = find(cache->slots, cache->size, hash, text, length);
    if (slot->string)
        return slot->string;
    const char *string = hiera_catalog_intern(cache->catalog, text, length);
    *slot = (Slot){string, hash, (guint32)length};
    if (++cache->used * 2 > cache->size)
        grow(cache);
    return string;
}

const HieraSite *hiera_cache_site(HieraCache *cache, const HieraSite *key)
{
    const HieraSite *site = g_hash_table_lookup(cache->sites, key);
    if (!site) {
        site = hiera_catalog_site(cache->catalog, key);
        g_hash_table_add(cache->sites, (gpointer)site);
    }
    return site;
}
