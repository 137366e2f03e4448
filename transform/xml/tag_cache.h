/* Start tags that are like one before but for the values of attributes that differ each time (times, say): they are
 * recognised by their text, and nothing of them is looked at but those values. Hides how one is found: by a guess, what
 * followed the last time, or by the text that repeats. Its memory is bounded. */
#ifndef HIERA_TAG_CACHE_H
#define HIERA_TAG_CACHE_H

#include "name_patterns.h"

#define HIERA_GAPS 4 /* attributes of a tag that differ */

typedef struct {
    const HieraPattern *element;
    gboolean empty;
    HieraXmlAttribute *attributes; /* of the tag that was found last */
    guint n;
    gpointer note; /* the user's, for all tags like this one; freed with g_free */
} HieraCachedTag;

/* A tag that was read letter by letter. */
typedef struct {
    const char *text, *end;
    const HieraPattern *element;
    gboolean empty;
    const HieraXmlAttribute *attributes;
    guint n, n_gaps;
    guint8 gaps[HIERA_GAPS]; /* which of the attributes differ */
} HieraTag;

typedef struct HieraTagCache HieraTagCache;

HieraTagCache *hiera_tag_cache_new(void);
void hiera_tag_cache_free(HieraTagCache *cache);
/* The cached tag that is like the one at *at, moving that behind it; NULL if it was not guessed. @param end  of the
 * bytes, with zeros behind it as in a HieraReadBuffer */
HieraCachedTag *hiera_tag_cache_guess(HieraTagCache *cache, const char **at, const char *end);
/* The cached tag that is like one that was not guessed; NULL if there was none like it before. */
HieraCachedTag *hiera_tag_cache_find(HieraTagCache *cache, const HieraTag *tag);

#endif
