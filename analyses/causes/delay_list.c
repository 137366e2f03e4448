/* Hash tables find a delay by its key; see delay_list.h. */
#include "delay_list.h"
#include "text/hash.h"

static guint hash_place(gconstpointer data)
{
    const HieraDelayPlace *place = data;
    guint64 hash = (guint64)place->node * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15) + place->processor;
    hash = (hash ^ hash >> 29) * G_GUINT64_CONSTANT(0xBF58476D1CE4E5B9) + place->at;
    hash = (hash ^ hash >> 32) * G_GUINT64_CONSTANT(0x94D049BB133111EB) + place->class;
    return (guint)(hash >> 32);
}

static gboolean equal_places(gconstpointer left, gconstpointer right)
{
    const HieraDelayPlace *a = left, *b = right;
    return a->node == b->node && a->processor == b->processor && a->at == b->at && a->class == b->class;
}

static void delay_clear(gpointer delay)
{
    g_array_unref(((HieraDelay *)delay)->delayed);
}

void hiera_delay_list_init(HieraDelayList *list)
{
    list->delays = g_array_new(FALSE, FALSE, sizeof(HieraDelay));
    g_array_set_clear_func(list->delays, delay_clear);
    list->places = g_hash_table_new_full(hash_place, equal_places, g_free, NULL);
    list->shares = g_hash_table_new(hiera_hash_pair, NULL);
}

HieraDelay *hiera_delay_list_find(HieraDelayList *list, const HieraDelayPlace *place)
{
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(list->places, place));
    if (number == 0) {
        HieraDelay delay = {.node = place->node,
                            .processor = place->processor,
                            .at = place->at,
                            .class = (guint8)place->class,
                            .delayed = g_array_new(FALSE, FALSE, sizeof(HieraShare))};
        g_array_append_val(list->delays, delay);
        number = list->delays->len;
        g_hash_table_insert(list->places, g_memdup2(place, sizeof *place), GUINT_TO_POINTER(number));
    }
    return &g_array_index(list->delays, HieraDelay, number - 1);
}

void hiera_delay_list_add_share(HieraDelayList *list, HieraDelay *delay, guint32 processor, gint64 time_ns)
{
    gpointer key = hiera_pair((guint32)(delay - (HieraDelay *)(void *)list->delays->data), processor);
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(list->shares, key));
    if (place == 0) {
        HieraShare none = {processor, 0};
        g_array_append_val(delay->delayed, none);
        place = delay->delayed->len;
        g_hash_table_insert(list->shares, key, GUINT_TO_POINTER(place));
    }
    HieraShare *share = &g_array_index(delay->delayed, HieraShare, place - 1);
    share->time_ns = hiera_plus(share->time_ns, time_ns);
}

GArray *hiera_delay_list_take(HieraDelayList *list)
{
    g_hash_table_unref(list->places);
    g_hash_table_unref(list->shares);
    for (guint i = 0; i < list->delays->len; i++)
        hiera_shares_settle(g_array_index(list->delays, HieraDelay, i).delayed);
    return list->delays;
}
