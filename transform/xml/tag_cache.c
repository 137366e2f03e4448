/* See tag_cache.h. Each hash value has one slot. A tag is copied into its slot when it comes for the second time, so
 * tags that do not repeat replace nothing and cost no copy. */
#include "tag_cache.h"
#include "base/byte_scan.h"
#include "base/hash.h"
#include <string.h>

#define SLOTS 1024 /* size of the hash table, a power of two */

typedef struct Slot Slot;
struct Slot {
    HieraCachedTag cached;
    guint32 hash;
    GString *text; /* text of the tag, without the values in `gaps` */
    guint n_gaps;
    struct {
        guint attribute;
        gsize at; /* offset in `text` at which the value is missing */
    } gaps[HIERA_GAPS];
    GString *values; /* attribute values of the tag that was copied; values in `gaps` point into later tags instead */
    Slot *next[2];   /* guesses: the two slots whose tags followed this one's last */
};

struct HieraTagCache {
    Slot *slots[SLOTS];
    guint32 met[SLOTS]; /* by hash modulo SLOTS: hash of the last tag that has come only once */
    Slot nothing;       /* stands for the predecessor of the first tag */
    Slot *last;         /* slot of the tag before the current one, not regarding tags without slot */
    GString *text;      /* text of the current tag, with values left out as in Slot.text */
};

HieraTagCache *hiera_tag_cache_new(void)
{
    HieraTagCache *cache = g_new0(HieraTagCache, 1);
    cache->last = &cache->nothing;
    cache->text = g_string_new(NULL);
    return cache;
}

void hiera_tag_cache_free(HieraTagCache *cache)
{
    if (!cache)
        return;
    for (guint i = 0; i < SLOTS; i++) {
        Slot *slot = cache->slots[i];
        if (!slot)
            continue;
        g_string_free(slot->text, TRUE);
        g_string_free(slot->values, TRUE);
        g_free(slot->cached.attributes);
        g_free(slot->cached.note);
        g_free(slot);
    }
    g_string_free(cache->text, TRUE);
    g_free(cache);
}

/* Compare the bytes at *at with bytes `from` to `to` of a slot's text. If equal, move *at behind them; return TRUE. */
static gboolean take_text(const Slot *slot, gsize from, gsize to, const char **at, const char *end)
{
    gsize length = to - from;
    if ((gsize)(end - *at) < length || memcmp(*at, slot->text->str + from, length) != 0)
        return FALSE;
    *at += length;
    return TRUE;
}

/* Compare the tag at *tag with a slot. If only the differing values are new, set them, move *tag after the tag and
 * return TRUE. */
static gboolean is_like(Slot *slot, const char **tag, const char *end)
{
    gsize from = 0;
    const char *at = *tag;
    for (guint i = 0; i < slot->n_gaps; i++) {
        HieraXmlAttribute *attribute = &slot->cached.attributes[slot->gaps[i].attribute];
        if (!take_text(slot, from, slot->gaps[i].at, &at, end))
            return FALSE;
        from = slot->gaps[i].at;
        attribute->value = at;
        attribute->end = at = hiera_plain_skip(at);
    }
    if (!take_text(slot, from, slot->text->len, &at, end))
        return FALSE;
    *tag = at;
    return TRUE;
}

HieraCachedTag *hiera_tag_cache_guess(HieraTagCache *cache, const char **at, const char *end)
{
    for (guint i = 0; i < G_N_ELEMENTS(cache->last->next); i++) {
        Slot *slot = cache->last->next[i];
        if (slot && is_like(slot, at, end)) {
            cache->last = slot;
            return &slot->cached;
        }
    }
    return NULL;
}

/* Set `text` to the tag without its differing values. Return FALSE if such a value was decoded: it is not in the
 * tag's text. */
static gboolean leave_out_gaps(const HieraTag *tag, GString *text)
{
    const char *from = tag->text;
    g_string_truncate(text, 0);
    for (guint i = 0; i < tag->n_gaps; i++) {
        const HieraXmlAttribute *gap = &tag->attributes[tag->gaps[i]];
        if (gap->value < tag->text || gap->end > tag->end)
            return FALSE;
        g_string_append_len(text, from, gap->value - from);
        from = gap->end;
    }
    g_string_append_len(text, from, tag->end - from);
    return TRUE;
}

/* Make a slot the first guess after the previous tag, and the current slot. */
static HieraCachedTag *follow(HieraTagCache *cache, Slot *slot)
{
    Slot *last = cache->last;
    last->next[1] = last->next[0];
    last->next[0] = slot;
    cache->last = slot;
    return &slot->cached;
}

static Slot *take_slot(HieraTagCache *cache, guint32 hash)
{
    Slot **slot = &cache->slots[hash % SLOTS];
    if (!*slot) {
        *slot = g_new0(Slot, 1);
        (*slot)->text = g_string_new(NULL);
        (*slot)->values = g_string_new(NULL);
    }
    (*slot)->hash = hash;
    g_clear_pointer(&(*slot)->cached.note, g_free);
    return *slot;
}

static void copy_attributes(Slot *slot, const HieraTag *tag)
{
    gsize at = 0;
    slot->cached.attributes = g_renew(HieraXmlAttribute, slot->cached.attributes, tag->n);
    slot->cached.n = tag->n;
    g_string_truncate(slot->values, 0);
    for (guint i = 0; i < tag->n; i++)
        g_string_append_len(slot->values, tag->attributes[i].value, tag->attributes[i].end - tag->attributes[i].value);
    for (guint i = 0; i < tag->n; i++) {
        HieraXmlAttribute *to = &slot->cached.attributes[i];
        *to = tag->attributes[i];
        to->value = slot->values->str + at;
        at += (gsize)(tag->attributes[i].end - tag->attributes[i].value);
        to->end = slot->values->str + at;
    }
}

static void copy_gaps(Slot *slot, const HieraTag *tag)
{
    gsize left_out = 0;
    slot->n_gaps = tag->n_gaps;
    for (guint i = 0; i < tag->n_gaps; i++) {
        const HieraXmlAttribute *gap = &tag->attributes[tag->gaps[i]];
        slot->gaps[i].attribute = tag->gaps[i];
        slot->gaps[i].at = (gsize)(gap->value - tag->text) - left_out;
        left_out += (gsize)(gap->end - gap->value);
    }
}

static Slot *make(HieraTagCache *cache, const HieraTag *tag, guint32 hash)
{
    Slot *slot = take_slot(cache, hash);
    g_string_assign(slot->text, cache->text->str);
    slot->cached.element = tag->element;
    slot->cached.empty = tag->empty;
    copy_attributes(slot, tag);
    copy_gaps(slot, tag);
    return slot;
}

HieraCachedTag *hiera_tag_cache_find(HieraTagCache *cache, const HieraTag *tag)
{
    if (!leave_out_gaps(tag, cache->text))
        return NULL;
    const char *at = tag->text;
    guint32 hash = hiera_hash(cache->text->str, cache->text->len);
    guint32 *met = &cache->met[hash % SLOTS];
    Slot *slot = cache->slots[hash % SLOTS];
    if (slot && slot->hash == hash && is_like(slot, &at, tag->end))
        return follow(cache, slot);
    if (*met == hash)
        return follow(cache, make(cache, tag, hash));
    *met = hash;
    return NULL;
}
