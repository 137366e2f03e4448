/* See incoming.h. Jumps are in buckets by target: each bucket has the jumps into a fixed number of bytes of code. */
#include "incoming.h"
#include <string.h>

enum { BUCKET = 256 };

struct HieraIncoming {
    guint64 begin, end; /* range of all code */
    guint32 *buckets;   /* index of the first jump of each bucket; at the end, the number of jumps */
    guint32 *from;      /* by jump: offset from `begin` of the four bytes of its distance */
    GArray *relocated;  /* guint64, sorted: addresses of relocations in code */
    const HieraObject *object;
};

static gboolean read_target(const guint8 *bytes, guint64 at, guint64 address, guint64 *target)
{
    gint32 distance;
    guint8 opcode = bytes[at - 1];
    gboolean is_branch = (opcode & 0xf0) == 0x80 && at > 1 && bytes[at - 2] == 0x0f;
    if (opcode != 0xe8 && opcode != 0xe9 && !is_branch)
        return FALSE;
    memcpy(&distance, bytes + at, sizeof distance);
    *target = address + 4 + (guint64)(gint64)GINT32_FROM_LE(distance);
    return TRUE;
}

/* Find all groups of four bytes in code that would be a far jump to code: count them, or put them into their buckets.
 */
static void scan(HieraIncoming *incoming, gboolean is_counting)
{
    for (guint i = 0; i < incoming->object->sections->len; i++) {
        const HieraCodeSection *section = &g_array_index(incoming->object->sections, HieraCodeSection, i);
        guint64 n = section->end - section->begin, target;
        const guint8 *bytes = hiera_object_bytes(incoming->object, section->begin, n, NULL);
        for (guint64 at = 1; bytes && at + 4 <= n; at++) {
            if (!read_target(bytes, at, section->begin + at, &target) || target < incoming->begin ||
                target >= incoming->end)
                continue;
            guint32 *bucket = &incoming->buckets[(target - incoming->begin) / BUCKET];
            if (is_counting)
                ++*bucket;
            else
                incoming->from[(*bucket)++] = (guint32)(section->begin + at - incoming->begin);
        }
    }
}

static void find_jumps(HieraIncoming *incoming)
{
    incoming->begin = G_MAXUINT64;
    for (guint i = 0; i < incoming->object->sections->len; i++) {
        const HieraCodeSection *section = &g_array_index(incoming->object->sections, HieraCodeSection, i);
        incoming->begin = MIN(incoming->begin, section->begin);
        incoming->end = MAX(incoming->end, section->end);
    }
    gsize n = incoming->end > incoming->begin ? (incoming->end - incoming->begin) / BUCKET + 1 : 0;
    guint32 all = 0;
    incoming->buckets = g_new0(guint32, n + 1);
    scan(incoming, TRUE);
    for (gsize i = 0; i <= n; i++) {
        guint32 count = incoming->buckets[i];
        incoming->buckets[i] = all;
        all += count;
    }
    incoming->from = g_new(guint32, all + 1);
    scan(incoming, FALSE);
    memmove(incoming->buckets + 1, incoming->buckets, n * sizeof *incoming->buckets); /* elements are bucket ends now */
    incoming->buckets[0] = 0;
}

static gint compare(gconstpointer a, gconstpointer b)
{
    guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return x < y ? -1 : x > y;
}

static void find_relocations(HieraIncoming *incoming)
{
    GHashTableIter pointers;
    gpointer address;
    g_hash_table_iter_init(&pointers, incoming->object->pointers);
    while (g_hash_table_iter_next(&pointers, &address, NULL))
        if (hiera_object_section(incoming->object, *(const guint64 *)address))
            g_array_append_vals(incoming->relocated, address, 1);
    g_array_sort(incoming->relocated, compare);
}

HieraIncoming *hiera_incoming_new(const HieraObject *object)
{
    HieraIncoming *incoming = g_new0(HieraIncoming, 1);
    incoming->object = object;
    incoming->relocated = g_array_new(FALSE, FALSE, sizeof(guint64));
    find_jumps(incoming);
    find_relocations(incoming);
    return incoming;
}

void hiera_incoming_free(HieraIncoming *incoming)
{
    g_free(incoming->buckets);
    g_free(incoming->from);
    g_array_unref(incoming->relocated);
    g_free(incoming);
}

void hiera_incoming_jumps(const HieraIncoming *incoming, guint64 address, GArray *from)
{
    if (address < incoming->begin || address >= incoming->end)
        return;
    const guint32 *bucket = &incoming->buckets[(address - incoming->begin) / BUCKET];
    for (guint32 i = bucket[0]; i < bucket[1]; i++) {
        guint64 at = incoming->begin + incoming->from[i];
        gint64 distance = 0;
        if (hiera_object_number(incoming->object, at, 4, TRUE, &distance) && at + 4 + (guint64)distance == address)
            g_array_append_val(from, at);
    }
}

guint64 hiera_incoming_relocation(const HieraIncoming *incoming, guint64 begin, guint64 end)
{
    for (guint i = 0; i < incoming->relocated->len; i++) {
        guint64 at = g_array_index(incoming->relocated, guint64, i);
        if (at >= begin && at < end)
            return at;
    }
    return 0;
}
