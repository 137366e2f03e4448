/* Halves of messages, in few bytes; see endpoint_list.h. */
#include "endpoint_list.h"
#include <string.h>

/* Most are calls of which no other tells anything. The bytes are a gint64 in two words, which needs no padding. */
typedef struct {
    guint32 at;   /* row; of one with details their place */
    guint32 next; /* place */
    guint32 comm : 31;
    guint32 detailed : 1;
    guint32 bytes[2];
} Short;

struct HieraHalves {
    GArray *shorts;  /* Short, by place */
    GArray *details; /* HieraHalf */
};

HieraHalves *hiera_halves_new(void)
{
    HieraHalves *halves = g_new(HieraHalves, 1);
    *halves = (HieraHalves){g_array_new(FALSE, FALSE, sizeof(Short)), g_array_new(FALSE, FALSE, sizeof(HieraHalf))};
    return halves;
}

void hiera_halves_free(HieraHalves *halves)
{
    if (!halves)
        return;
    g_array_unref(halves->shorts);
    g_array_unref(halves->details);
    g_free(halves);
}

static Short *peek(const HieraHalves *halves, guint32 place)
{
    return &g_array_index(halves->shorts, Short, place);
}

/* Store a half in a place, whose details it takes over. */
static void store(HieraHalves *halves, Short *at, const HieraHalf *half)
{
    gboolean alone = !half->cancelled && !half->concurrent && half->posted == half->row && half->ended_by == half->row;
    at->comm = half->comm;
    memcpy(at->bytes, &half->bytes, sizeof at->bytes);
    if (!alone && at->detailed) {
        g_array_index(halves->details, HieraHalf, at->at) = *half;
        return;
    }
    at->at = alone ? half->row : halves->details->len;
    at->detailed = !alone;
    if (!alone)
        g_array_append_vals(halves->details, half, 1);
}

void hiera_halves_append(HieraHalves *halves, HieraHalfList *list, const HieraHalf *half)
{
    guint32 place = halves->shorts->len;
    Short added = {0};
    store(halves, &added, half);
    g_array_append_val(halves->shorts, added);
    if (list->n++ == 0)
        list->first = place;
    else
        peek(halves, list->last)->next = place;
    list->last = place;
}

guint32 hiera_halves_get(const HieraHalves *halves, guint32 place, HieraHalf *half)
{
    const Short *at = peek(halves, place);
    if (at->detailed) {
        *half = g_array_index(halves->details, HieraHalf, at->at);
        return at->next;
    }
    half->row = half->posted = half->ended_by = at->at;
    half->comm = at->comm;
    half->cancelled = half->concurrent = FALSE;
    memcpy(&half->bytes, at->bytes, sizeof half->bytes);
    return at->next;
}

HieraHalf *hiera_halves_copy(const HieraHalves *halves, const HieraHalfList *list)
{
    HieraHalf *copies = g_new(HieraHalf, list->n);
    for (guint32 i = 0, place = list->first; i < list->n; i++) {
        place = hiera_halves_get(halves, place, &copies[i]);
        copies[i].order = i;
    }
    return copies;
}

void hiera_halves_replace(HieraHalves *halves, const HieraHalfList *list, const HieraHalf *with)
{
    for (guint32 i = 0, place = list->first; i < list->n; i++) {
        Short *at = peek(halves, place);
        store(halves, at, &with[i]);
        place = at->next;
    }
}
