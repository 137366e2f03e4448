#include "probed_rank.h"

HieraProbedRank *hiera_probed_rank_new(void)
{
    HieraProbedRank *rank = g_new0(HieraProbedRank, 1);
    rank->text = g_string_new(NULL);
    rank->complaints = g_ptr_array_new_with_free_func(g_free);
    rank->saved = g_string_new(NULL);
    rank->whole = TRUE;
    return rank;
}

void hiera_probed_rank_free(HieraProbedRank *rank)
{
    g_string_free(rank->text, TRUE);
    g_ptr_array_unref(rank->complaints);
    g_string_free(rank->saved, TRUE);
    g_free(rank);
}

static void append(void *saved, const char *bytes, size_t length)
{
    g_string_append_len(saved, bytes, (gssize)length);
}

void hiera_probed_rank_save(HieraProbedRank *rank, const HieraProbeState *state)
{
    rank->whole = hiera_probe_state_save(state, append, rank->saved);
}

static void pack_string(const GString *string, HieraPacker *to)
{
    hiera_pack_number(to, (gint64)string->len);
    hiera_pack_bytes(to, string->str, string->len);
}

static void unpack_string(GString *string, HieraUnpacker *from)
{
    g_string_set_size(string, (gsize)hiera_unpack_number(from));
    hiera_unpack_bytes(from, string->str, string->len);
}

void hiera_probed_rank_pack(const HieraProbedRank *rank, HieraPacker *to)
{
    pack_string(rank->text, to);
    hiera_pack_number(to, rank->complaints->len);
    for (guint i = 0; i < rank->complaints->len; i++)
        hiera_pack_text(to, g_ptr_array_index(rank->complaints, i));
    pack_string(rank->saved, to);
    hiera_pack_number(to, (gint64)rank->lost);
    hiera_pack_number(to, (gint64)rank->stopped);
    hiera_pack_number(to, rank->hidden);
    hiera_pack_number(to, rank->whole);
}

HieraProbedRank *hiera_probed_rank_unpack(HieraUnpacker *from)
{
    HieraProbedRank *rank = hiera_probed_rank_new();
    unpack_string(rank->text, from);
    for (gint64 n = hiera_unpack_number(from); n > 0; n--)
        g_ptr_array_add(rank->complaints, g_strdup(hiera_unpack_text(from)));
    unpack_string(rank->saved, from);
    rank->lost = (guint64)hiera_unpack_number(from);
    rank->stopped = (guint64)hiera_unpack_number(from);
    rank->hidden = (gboolean)hiera_unpack_number(from);
    rank->whole = (gboolean)hiera_unpack_number(from);
    return rank;
}
