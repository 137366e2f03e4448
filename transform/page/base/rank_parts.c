/* See rank_parts.h. Packed parts follow each other as index of the rank and bytes, up to HIERA_NONE. */
#include "rank_parts.h"

static void unref_part(gpointer part)
{
    if (part)
        g_byte_array_unref(part);
}

HieraRankParts *hiera_rank_parts_new(guint32 n_processors)
{
    HieraRankParts *parts = g_ptr_array_new_with_free_func(unref_part);
    g_ptr_array_set_size(parts, (gint)n_processors);
    return parts;
}

GByteArray *hiera_rank_parts_of(HieraRankParts *parts, guint32 processor)
{
    if (!parts->pdata[processor])
        parts->pdata[processor] = g_byte_array_new();
    return parts->pdata[processor];
}

void hiera_rank_parts_pack(const HieraRankParts *parts, HieraPacker *to)
{
    for (guint i = 0; i < parts->len; i++) {
        const GByteArray *part = parts->pdata[i];
        if (!part)
            continue;
        hiera_pack_number(to, i);
        hiera_pack_number(to, part->len);
        hiera_pack_bytes(to, part->data, part->len);
    }
    hiera_pack_number(to, HIERA_NONE);
}

void hiera_rank_parts_unpack(HieraRankParts *parts, HieraUnpacker *from)
{
    for (gint64 i = hiera_unpack_number(from); i != HIERA_NONE; i = hiera_unpack_number(from)) {
        GByteArray *part = hiera_rank_parts_of(parts, (guint32)i);
        guint before = part->len, n = (guint)hiera_unpack_number(from);
        g_byte_array_set_size(part, before + n);
        hiera_unpack_bytes(from, part->data + before, n);
    }
}

static void pack_parts(HieraPacker *to, gpointer parts)
{
    hiera_rank_parts_pack(parts, to);
}

static void unpack_parts(HieraUnpacker *from, gpointer parts)
{
    hiera_rank_parts_unpack(parts, from);
}

void hiera_rank_parts_gather(HieraRankParts *parts, const HieraScope *scope, const HieraTrace *trace)
{
    hiera_scope_gather_others(scope, trace, pack_parts, unpack_parts, parts);
}

void hiera_rank_parts_join(const HieraRankParts *parts, GByteArray *block)
{
    for (guint i = 0; i < parts->len; i++) {
        const GByteArray *part = parts->pdata[i];
        if (part)
            g_byte_array_append(block, part->data, part->len);
    }
}
