/* What one reader has already met: text → the catalog's string, without the catalog's lock. Never shrinks, so it is
 * bounded by the number of different strings; long ones, which hardly repeat, are not remembered. */
#ifndef HIERA_CACHE_H
#define HIERA_CACHE_H

#include "trace/catalog.h"

typedef struct HieraCache HieraCache;

HieraCache *hiera_cache_new(HieraCatalog *catalog);
void hiera_cache_free(HieraCache *cache);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraCache, hiera_cache_free)
const char *hiera_cache_intern(HieraCache *cache, const char *text, gsize length);
const HieraSite *hiera_cache_site(HieraCache *cache, const HieraSite *key);

#endif
