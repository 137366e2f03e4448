#include "calls.h"
#include "base/vocabulary.h"

#define NONE          G_MAXUINT32
#define NS_PER_SECOND 1000000000

typedef struct {
    guint32 element;
    OTF2_RegionRef region;
} Open;

void hiera_otf2_calls_init(HieraOtf2Calls *calls, const HieraOtf2Archive *archive, HieraOtf2Rank *rank)
{
    *calls = (HieraOtf2Calls){.archive = archive, .rank = rank};
    calls->stack = g_array_new(FALSE, FALSE, sizeof(Open));
    calls->active = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    calls->tested = g_string_new("");
    for (guint i = 0; i < HIERA_OTF2_LISTS; i++)
        calls->completed[i] = g_string_new("");
}

void hiera_otf2_calls_clear(HieraOtf2Calls *calls)
{
    for (guint i = 0; i < HIERA_OTF2_LISTS; i++)
        g_string_free(calls->completed[i], TRUE);
    g_string_free(calls->tested, TRUE);
    g_hash_table_unref(calls->active);
    g_array_unref(calls->stack);
}

void hiera_otf2_calls_see(HieraOtf2Calls *calls, OTF2_TimeStamp time)
{
    const HieraOtf2Archive *archive = calls->archive;
    guint64 ticks = time > archive->offset ? time - archive->offset : 0;
    unsigned __int128 ns = (unsigned __int128)ticks * NS_PER_SECOND / archive->resolution;
    calls->now_ns = ns < G_MAXINT64 / 2 ? (gint64)ns : G_MAXINT64 / 2;
}

/* --- begin and end of operations --- */

guint32 hiera_otf2_calls_top(const HieraOtf2Calls *calls)
{
    return calls->stack->len ? g_array_index(calls->stack, Open, calls->stack->len - 1).element : NONE;
}

OTF2_RegionRef hiera_otf2_calls_open(const HieraOtf2Calls *calls, guint depth, guint32 *element)
{
    static const Open none = {NONE, OTF2_UNDEFINED_REGION};
    const Open *open =
        depth < calls->stack->len ? &g_array_index(calls->stack, Open, calls->stack->len - 1 - depth) : &none;
    *element = open->element;
    return open->region;
}

/* Add a list of requests to the innermost operation, as the text of an attribute, and empty the list. */
static void settle_list(HieraOtf2Calls *calls, HieraAttribute attribute, GString *list)
{
    HieraOtf2Elements *elements = &calls->rank->elements;
    if (list->len > 0)
        hiera_otf2_elements_add_text(elements, hiera_otf2_calls_top(calls), hiera_attribute_name(attribute),
                                     hiera_otf2_elements_copy(elements, list->str));
    g_string_truncate(list, 0);
}

static void settle(HieraOtf2Calls *calls)
{
    static const HieraAttribute attributes[HIERA_OTF2_LISTS] = {HIERA_ATTRIBUTE_REQUESTS, HIERA_ATTRIBUTE_SOURCES,
                                                                HIERA_ATTRIBUTE_TAGS, HIERA_ATTRIBUTE_SIZES};
    if (calls->stack->len == 0)
        return;
    gboolean completes = calls->completed[HIERA_OTF2_NUMBERS]->len > 0;
    for (guint i = 0; i < HIERA_OTF2_LISTS; i++)
        settle_list(calls, attributes[i], calls->completed[i]);
    if (completes)
        g_string_truncate(calls->tested, 0); /* a call that completed requests does not list others */
    settle_list(calls, HIERA_ATTRIBUTE_PENDING, calls->tested);
}

guint32 hiera_otf2_calls_begin(HieraOtf2Calls *calls, OTF2_RegionRef region, HieraOtf2Element *element)
{
    settle(calls);
    element->depth = calls->stack->len;
    element->start_ns = element->finish_ns = calls->now_ns;
    const Open open = {hiera_otf2_elements_add(&calls->rank->elements, element), region};
    g_array_append_val(calls->stack, open);
    return open.element;
}

/* Move calls that were made for records inside an MPI call to its end, because MPI calls do not nest in a trace. */
static void move_made(HieraOtf2Elements *elements, guint32 element)
{
    const HieraOtf2Element *call = hiera_otf2_elements_peek(elements, element);
    for (guint32 i = elements->all->len - 1; i > element; i--) {
        HieraOtf2Element *made = hiera_otf2_elements_peek(elements, i);
        if (!made->made || made->depth != call->depth)
            return;
        made->start_ns = made->finish_ns = call->finish_ns;
    }
}

static guint32 pop(HieraOtf2Calls *calls)
{
    settle(calls);
    guint32 element = hiera_otf2_calls_top(calls);
    hiera_otf2_elements_peek(&calls->rank->elements, element)->finish_ns = calls->now_ns;
    g_array_set_size(calls->stack, calls->stack->len - 1);
    move_made(&calls->rank->elements, element);
    return element;
}

guint32 hiera_otf2_calls_end(HieraOtf2Calls *calls, OTF2_RegionRef region)
{
    guint n = calls->stack->len;
    while (n > 0 && g_array_index(calls->stack, Open, n - 1).region != region)
        n--;
    guint32 element = NONE;
    while (n > 0 && calls->stack->len >= n)
        element = pop(calls);
    return element;
}

void hiera_otf2_calls_end_thread(HieraOtf2Calls *calls)
{
    while (calls->stack->len > 0)
        hiera_otf2_elements_peek(&calls->rank->elements, pop(calls))->open = TRUE;
    g_string_truncate(calls->tested, 0);
    for (guint i = 0; i < HIERA_OTF2_LISTS; i++)
        g_string_truncate(calls->completed[i], 0);
}

guint64 hiera_otf2_calls_count_receives(const HieraOtf2Calls *calls)
{
    GHashTableIter iterator;
    gpointer request;
    guint64 n = 0;
    g_hash_table_iter_init(&iterator, calls->active);
    while (g_hash_table_iter_next(&iterator, NULL, &request))
        n += ((const HieraOtf2Request *)request)->receives;
    return n;
}
