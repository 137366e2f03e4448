/* Cache of one reader in front of the catalog: finds strings and sites without the catalog's lock. It never shrinks;
 * its size is bounded by the number of different strings. Texts of more than 256 bytes rarely repeat and are not
 * cached. */
#pragma once

#include "trace/catalog.h"

typedef struct HieraCache HieraCache;

HieraCache *hiera_cache_new(HieraCatalog *catalog);
void hiera_cache_free(HieraCache *cache);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraCache, hiera_cache_free)
/* Return the interned string with these bytes, like hiera_catalog_intern(). */
const char *hiera_cache_intern(HieraCache *cache, const char *text, gsize length);
/* Return the catalog's call site that equals `key`, like hiera_catalog_site(). */
const HieraSite *hiera_cache_site(HieraCache *cache, const HieraSite *key);
