/* See together.h. */
#include "together.h"

/* What goes to the one that leads. Its own is there already, and comes first. */
typedef struct {
    const HieraScope *scope;
    GArray *array;
    GByteArray *bytes;
} Gathering;

static void tell_others(HieraPacker *to, gpointer user)
{
    const Gathering *gathering = user;
    if (!hiera_scope_leads(gathering->scope))
        hiera_pack_array(to, gathering->array);
    else
        hiera_pack_number(to, 0);
}

static void hear_others(HieraUnpacker *from, gpointer user)
{
    const Gathering *gathering = user;
    hiera_unpack_array(from, gathering->array);
}

void hiera_page_gather(const HieraScope *scope, const HieraTrace *trace, GArray *array)
{
    Gathering gathering = {scope, array, NULL};
    hiera_scope_gather(scope, trace, tell_others, hear_others, &gathering);
}

static void tell_bytes(HieraPacker *to, gpointer user)
{
    const Gathering *gathering = user;
    const GByteArray *bytes = gathering->bytes;
    guint n = hiera_scope_leads(gathering->scope) ? 0 : bytes->len;
    hiera_pack_number(to, n);
    hiera_pack_bytes(to, bytes->data, n);
}

static void hear_bytes(HieraUnpacker *from, gpointer user)
{
    GByteArray *bytes = ((const Gathering *)user)->bytes;
    guint before = bytes->len, n = (guint)hiera_unpack_number(from);
    g_byte_array_set_size(bytes, before + n);
    hiera_unpack_bytes(from, bytes->data + before, n);
}

void hiera_page_gather_bytes(const HieraScope *scope, const HieraTrace *trace, GByteArray *bytes)
{
    Gathering gathering = {scope, NULL, bytes};
    hiera_scope_gather(scope, trace, tell_bytes, hear_bytes, &gathering);
}

static void tell_array(HieraPacker *to, gpointer user)
{
    hiera_pack_array(to, user);
}

static void hear_array(HieraUnpacker *from, gpointer user)
{
    GArray *array = user;
    g_array_set_size(array, 0);
    hiera_unpack_array(from, array);
}

void hiera_page_tell(const HieraScope *scope, const HieraTrace *trace, GArray *array)
{
    hiera_scope_tell(scope, trace, tell_array, hear_array, array);
}

gint64 hiera_page_add_up(const HieraScope *scope, const HieraTrace *trace, gint64 own)
{
    gint64 sum = 0;
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_array_append_val(numbers, own);
    hiera_page_gather(scope, trace, numbers);
    for (guint i = 0; i < numbers->len; i++)
        sum = hiera_plus(sum, g_array_index(numbers, gint64, i));
    g_array_set_size(numbers, 0);
    g_array_append_val(numbers, sum);
    hiera_page_tell(scope, trace, numbers);
    return g_array_index(numbers, gint64, 0);
}
