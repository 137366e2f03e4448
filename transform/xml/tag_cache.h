/* Cache of start tags. Most tags of a trace repeat an earlier tag; only some values differ, such as times. The cache
 * recognises such a tag by its text, so that only the differing values are read. Hides how a tag is found: first by a
 * guess (the tags that followed the previous one last), then by a hash of its text. Memory is bounded. */
#pragma once

#include "name_patterns.h"

#define HIERA_GAPS 4 /* most attributes of a tag whose values may differ from the cached tag's */

typedef struct {
    const HieraNamePattern *element;
    gboolean empty;
    HieraXmlAttribute *attributes; /* attributes of the latest tag that equals this entry */
    guint n;
    gpointer note; /* data that HieraXmlEvents.start keeps for all tags of this entry; freed with g_free */
} HieraCachedTag;

/* A start tag that the scanner has read byte by byte, for the cache. */
typedef struct {
    const char *text, *end;
    const HieraNamePattern *element;
    gboolean empty;
    const HieraXmlAttribute *attributes;
    guint n, n_gaps;
    guint8 gaps[HIERA_GAPS]; /* indices in `attributes` of those with differing values */
} HieraTag;

typedef struct HieraTagCache HieraTagCache;

HieraTagCache *hiera_tag_cache_new(void);
void hiera_tag_cache_free(HieraTagCache *cache);
/* Guess the tag at *at, and move *at after it. Return its entry, with the attributes of this tag; NULL if the guess
 * was wrong. The entry belongs to the cache.
 *
 * @param end  end of the data; zero bytes follow it, as in a HieraReadBuffer */
HieraCachedTag *hiera_tag_cache_guess(HieraTagCache *cache, const char **at, const char *end);
/* Find the entry of a tag that was not guessed, or make one if the tag comes for the second time. Return NULL if the
 * tag is new. */
HieraCachedTag *hiera_tag_cache_find(HieraTagCache *cache, const HieraTag *tag);
