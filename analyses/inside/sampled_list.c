#include "sampled_list.h"

GArray *hiera_sampled_list_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(HieraSampled));
}

void hiera_sampled_list_pack(const GArray *list, HieraPacker *to)
{
    hiera_pack_number(to, list->len);
    for (guint i = 0; i < list->len; i++)
        hiera_pack_sampled(to, &g_array_index(list, HieraSampled, i));
}

GArray *hiera_sampled_list_unpack(HieraUnpacker *from)
{
    GArray *list = hiera_sampled_list_new();
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        const HieraSampled one = hiera_unpack_sampled(from);
        g_array_append_val(list, one);
    }
    return list;
}

/* --- samples of all processes --- */

static void pack_samples(HieraPacker *to, gpointer sampled)
{
    const GArray *own = sampled;
    hiera_pack_number(to, own->len);
    for (guint i = 0; i < own->len; i++) {
        hiera_pack_number(to, g_array_index(own, HieraSampled, i).processor);
        hiera_pack_sampled(to, &g_array_index(own, HieraSampled, i));
    }
}

static void unpack_samples(HieraUnpacker *from, gpointer all)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        guint32 processor = (guint32)hiera_unpack_number(from);
        HieraSampled sampled = hiera_unpack_sampled(from);
        sampled.processor = processor;
        g_array_append_val((GArray *)all, sampled);
    }
}

static gint compare_processors(gconstpointer a, gconstpointer b)
{
    const HieraSampled *x = a, *y = b;
    return (x->processor > y->processor) - (x->processor < y->processor);
}

GArray *hiera_sampled_gather(const HieraTrace *trace, const HieraScope *scope)
{
    GArray *all = g_array_copy(trace->sampled);
    hiera_scope_gather_others(scope, trace, pack_samples, unpack_samples, all);
    g_array_sort(all, compare_processors); /* a stable sort: samples of one processor keep their order */
    return all;
}
