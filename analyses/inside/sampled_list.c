/* See sampled_list.h. */
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
