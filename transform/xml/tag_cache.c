/* See tag_cache.h. One slot for each hash, for the last tag that came twice: tags that are all different push nothing
 * out and cost no copy. */
#include "tag_cache.h"
#include "base/byte_scan.h"
#include "base/hash.h"
#include <string.h>

#define SLOTS 1024 /* a power of two */

typedef struct Slot Slot;
struct Slot {
    HieraTemplate template;
    guint32 hash;
    GString *text; /* of the tag, without the values that differ */
    guint n_gaps;
    struct {
        guint attribute;
        gsize at; /* in the text */
    } gaps[HIERA_GAPS];
    GString *values; /* of the other attributes */
    Slot *next[2];   /* what followed */
};

struct HieraTemplates {
    Slot *slots[SLOTS];
    guint32 met[SLOTS]; /* hashes */
    Slot nothing;       /* comes before the first */
    Slot *last;
    GString *text; /* of the tag at hand, as in a slot */
};

HieraTemplates *hiera_templates_new(void)
{
    HieraTemplates *templates = g_new0(HieraTemplates, 1);
    templates->last = &templates->nothing;
    templates->text = g_string_new(NULL);
    return templates;
}

void hiera_templates_free(HieraTemplates *templates)
{
    if (!templates)
        return;
    for (guint i = 0; i < SLOTS; i++) {
        Slot *slot = templates->slots[i];
        if (!slot)
            continue;
        g_string_free(slot->text, TRUE);
        g_string_free(slot->values, TRUE);
        g_free(slot->template.attributes);
        g_free(slot->template.note);
        g_free(slot);
    }
    g_string_free(templates->text, TRUE);
    g_free(templates);
}

/* Whether the bytes at *at are the text of a slot from `from` to `to`, moving behind them. */
static gboolean take_text(const Slot *slot, gsize from, gsize to, const char **at, const char *end)
{
    gsize length = to - from;
    if ((gsize)(end - *at) < length || memcmp(*at, slot->text->str + from, length) != 0)
        return FALSE;
    *at += length;
    return TRUE;
}

static gboolean is_like(Slot *slot, const char **behind, const char *end)
{
    gsize from = 0;
    const char *at = *behind;
    for (guint i = 0; i < slot->n_gaps; i++) {
        HieraXmlAttribute *attribute = &slot->template.attributes[slot->gaps[i].attribute];
        if (!take_text(slot, from, slot->gaps[i].at, &at, end))
            return FALSE;
        from = slot->gaps[i].at;
        attribute->value = at;
        attribute->end = at = hiera_plain_skip(at);
    }
    if (!take_text(slot, from, slot->text->len, &at, end))
        return FALSE;
    *behind = at;
    return TRUE;
}

HieraTemplate *hiera_templates_guess(HieraTemplates *templates, const char **at, const char *end)
{
    for (guint i = 0; i < G_N_ELEMENTS(templates->last->next); i++) {
        Slot *slot = templates->last->next[i];
        if (slot && is_like(slot, at, end)) {
            templates->last = slot;
            return &slot->template;
        }
    }
    return NULL;
}

/* False if a value that differs is not in the text as it is. */
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

/* The guess of the next time. */
static HieraTemplate *follow(HieraTemplates *templates, Slot *slot)
{
    Slot *last = templates->last;
    last->next[1] = last->next[0];
    last->next[0] = slot;
    templates->last = slot;
    return &slot->template;
}

static Slot *take_slot(HieraTemplates *templates, guint32 hash)
{
    Slot **slot = &templates->slots[hash % SLOTS];
    if (!*slot) {
        *slot = g_new0(Slot, 1);
        (*slot)->text = g_string_new(NULL);
        (*slot)->values = g_string_new(NULL);
    }
    (*slot)->hash = hash;
    g_clear_pointer(&(*slot)->template.note, g_free);
    return *slot;
}

static void copy_attributes(Slot *slot, const HieraTag *tag)
{
    gsize at = 0;
    slot->template.attributes = g_renew(HieraXmlAttribute, slot->template.attributes, tag->n);
    slot->template.n = tag->n;
    g_string_truncate(slot->values, 0);
    for (guint i = 0; i < tag->n; i++)
        g_string_append_len(slot->values, tag->attributes[i].value, tag->attributes[i].end - tag->attributes[i].value);
    for (guint i = 0; i < tag->n; i++) {
        HieraXmlAttribute *to = &slot->template.attributes[i];
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

static Slot *make(HieraTemplates *templates, const HieraTag *tag, guint32 hash)
{
    Slot *slot = take_slot(templates, hash);
    g_string_assign(slot->text, templates->text->str);
    slot->template.element = tag->element;
    slot->template.empty = tag->empty;
    copy_attributes(slot, tag);
    copy_gaps(slot, tag);
    return slot;
}

HieraTemplate *hiera_templates_find(HieraTemplates *templates, const HieraTag *tag)
{
    if (!leave_out_gaps(tag, templates->text))
        return NULL;
    const char *at = tag->text;
    guint32 hash = hiera_hash(templates->text->str, templates->text->len);
    guint32 *met = &templates->met[hash % SLOTS];
    Slot *slot = templates->slots[hash % SLOTS];
    if (slot && slot->hash == hash && is_like(slot, &at, tag->end))
        return follow(templates, slot);
    if (*met == hash)
        return follow(templates, make(templates, tag, hash));
    *met = hash;
    return NULL;
}
