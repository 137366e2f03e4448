/* See repeats.h. One slot for each hash, for the last call that came twice: calls that are all different push nothing
 * out and cost no copy. */
#include "repeats.h"
#include "hash.h"
#include <string.h>

#define SLOTS   1024 /* a power of two */
#define LONGEST 64   /* attributes */

/* An attribute of a call that was kept. */
typedef struct {
    const char *name, *value;
    gsize length;
    gint16 put;       /* its number, if it is read each time; else -1 */
    gboolean differs; /* the value is not looked at */
} Kept;

typedef struct {
    HieraElement element;
    const HieraXmlAttribute *attributes;
    guint n, meanings;
} Call;

typedef struct Slot Slot;
struct Slot {
    HieraElement element;
    guint n;
    Kept *kept;
    GString *values;
    HieraCommon common;
    Slot *next[2]; /* what followed */
};

struct HieraRepeats {
    const HieraWords *words;
    Slot *slots[SLOTS];
    guint32 met[SLOTS]; /* hashes */
    Slot nothing;       /* comes before the first */
    Slot *last;
    Call call; /* the last that was not found */
    guint32 hash;
    gboolean may_be_kept;
};

HieraRepeats *hiera_repeats_new(const HieraWords *words)
{
    HieraRepeats *repeats = g_new0(HieraRepeats, 1);
    repeats->words = words;
    repeats->last = &repeats->nothing;
    return repeats;
}

void hiera_repeats_free(HieraRepeats *repeats)
{
    for (guint i = 0; i < SLOTS; i++) {
        Slot *slot = repeats->slots[i];
        if (!slot)
            continue;
        g_free(slot->kept);
        g_string_free(slot->values, TRUE);
        g_free(slot);
    }
    g_free(repeats);
}

static gboolean differs_each_time(int number)
{
    return number == HIERA_ATTRIBUTE_START_TIME || number == HIERA_ATTRIBUTE_FINISH_TIME ||
           number == HIERA_ATTRIBUTE_REQUEST || number == HIERA_ATTRIBUTE_REQUESTS;
}

/* Lists that go with the requests. */
static gboolean is_read_each_time(int number)
{
    return differs_each_time(number) || number == HIERA_ATTRIBUTE_SOURCES || number == HIERA_ATTRIBUTE_TAGS ||
           number == HIERA_ATTRIBUTE_SIZES;
}

static gboolean is_like(const Slot *slot, const Call *call)
{
    if (slot->element != call->element || slot->n != call->n || slot->common.meanings != call->meanings)
        return FALSE;
    for (guint i = 0; i < call->n; i++) {
        const Kept *kept = &slot->kept[i];
        const HieraXmlAttribute *attribute = &call->attributes[i];
        gsize length = hiera_attribute_length(attribute);
        if (kept->name != attribute->name ||
            (!kept->differs && (kept->length != length || memcmp(kept->value, attribute->value, length) != 0)))
            return FALSE;
    }
    return TRUE;
}

/* The hash of what repeats; false for a call whose message is another one each time. */
static gboolean hash_call(const HieraWords *words, const Call *call, guint32 *hash)
{
    *hash = HIERA_HASH_NOTHING;
    for (guint i = 0; i < call->n; i++) {
        const HieraXmlAttribute *attribute = &call->attributes[i];
        int number = hiera_words_find(words, attribute->name);
        if (number == HIERA_ATTRIBUTE_MESSAGE)
            return FALSE;
        if (!differs_each_time(number))
            *hash = hiera_hash(*hash, attribute->value, hiera_attribute_length(attribute));
    }
    return call->n <= LONGEST;
}

static Slot *guess(const HieraRepeats *repeats, const Call *call)
{
    for (guint i = 0; i < G_N_ELEMENTS(repeats->last->next); i++) {
        Slot *slot = repeats->last->next[i];
        if (slot && is_like(slot, call))
            return slot;
    }
    return NULL;
}

/* Find by the hash, and guess it the next time. */
static Slot *look_up(HieraRepeats *repeats, const Call *call)
{
    repeats->may_be_kept = hash_call(repeats->words, call, &repeats->hash);
    Slot *slot = repeats->may_be_kept ? repeats->slots[repeats->hash % SLOTS] : NULL;
    if (!slot || !is_like(slot, call)) {
        repeats->call = *call;
        return NULL;
    }
    repeats->last->next[1] = repeats->last->next[0];
    repeats->last->next[0] = slot;
    return slot;
}

const HieraCommon *hiera_repeats_find(HieraRepeats *repeats, HieraElement element, const HieraXmlAttribute *attributes,
                                      guint n, guint meanings, HieraAttributes *own)
{
    const Call call = {element, attributes, n, meanings};
    Slot *slot = guess(repeats, &call);
    if (!slot)
        slot = look_up(repeats, &call);
    if (!slot)
        return NULL;
    for (guint i = 0; i < n; i++)
        if (slot->kept[i].put >= 0)
            hiera_attributes_put(own, (guint)slot->kept[i].put, &attributes[i]);
    repeats->last = slot;
    return &slot->common;
}

static Slot *take_slot(HieraRepeats *repeats)
{
    Slot **slot = &repeats->slots[repeats->hash % SLOTS];
    if (!*slot) {
        *slot = g_new0(Slot, 1);
        (*slot)->values = g_string_new(NULL);
    }
    return *slot;
}

static void copy_attributes(Slot *slot, const HieraWords *words, const HieraXmlAttribute *attributes)
{
    gsize at = 0;
    slot->kept = g_renew(Kept, slot->kept, slot->n);
    g_string_truncate(slot->values, 0);
    for (guint i = 0; i < slot->n; i++)
        g_string_append_len(slot->values, attributes[i].value, (gssize)hiera_attribute_length(&attributes[i]));
    for (guint i = 0; i < slot->n; i++) {
        int number = hiera_words_find(words, attributes[i].name);
        gsize length = hiera_attribute_length(&attributes[i]);
        slot->kept[i] = (Kept){attributes[i].name, slot->values->str + at, length,
                               is_read_each_time(number) ? (gint16)number : -1, differs_each_time(number)};
        at += length;
    }
}

void hiera_repeats_keep(HieraRepeats *repeats, const HieraCommon *common)
{
    guint32 *met = &repeats->met[repeats->hash % SLOTS];
    gboolean again = *met == repeats->hash;
    *met = repeats->hash;
    if (!repeats->may_be_kept || !again)
        return;
    Slot *slot = take_slot(repeats);
    slot->element = repeats->call.element;
    slot->n = repeats->call.n;
    slot->common = *common;
    copy_attributes(slot, repeats->words, repeats->call.attributes);
    repeats->last = slot;
}
