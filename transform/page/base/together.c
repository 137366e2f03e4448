#include "together.h"

static void pack_bytes(HieraPacker *to, gpointer user)
{
    const GByteArray *bytes = user;
    hiera_pack_number(to, bytes->len);
    hiera_pack_bytes(to, bytes->data, bytes->len);
}

static void unpack_bytes(HieraUnpacker *from, gpointer user)
{
    GByteArray *bytes = user;
    guint before = bytes->len, n = (guint)hiera_unpack_number(from);
    g_byte_array_set_size(bytes, before + n);
    hiera_unpack_bytes(from, bytes->data + before, n);
}

void hiera_page_gather_bytes(const HieraScope *scope, const HieraTrace *trace, GByteArray *bytes)
{
    hiera_scope_gather_others(scope, trace, pack_bytes, unpack_bytes, bytes);
}

gint64 hiera_page_add_up(const HieraScope *scope, const HieraTrace *trace, gint64 own)
{
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_array_append_val(numbers, own);
    hiera_scope_add_up(scope, trace, &g_array_index(numbers, gint64, 0), 1);
    hiera_scope_tell_array(scope, trace, numbers);
    return g_array_index(numbers, gint64, 0);
}
