/* Sums of evidence by place; see evidence.h. The places are in a hash table that allocates no memory for single
 * entries. */
#include "evidence.h"
#include <string.h>

enum { SLOTS_MIN = 64 };

void hiera_evidence_sums_init(HieraEvidenceSums *sums, guint n_parts)
{
    *sums = (HieraEvidenceSums){g_array_new(FALSE, FALSE, sizeof(HieraEvidence)),
                                g_new0(guint32, SLOTS_MIN),
                                SLOTS_MIN,
                                g_array_new(FALSE, TRUE, sizeof(gint64)),
                                n_parts,
                                0};
}

void hiera_evidence_sums_clear(HieraEvidenceSums *sums)
{
    g_array_unref(sums->list);
    g_array_unref(sums->times_ns);
    g_free(sums->slots);
}

/* Return the slot of a place (rank, node, communicator) in the hash table; if it has none, the free slot for it. */
static guint32 *find_slot(const HieraEvidenceSums *sums, const HieraEvidence *place)
{
    guint64 hash = ((guint64)place->node << 32 | place->processor) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    hash = (hash ^ place->comm) * G_GUINT64_CONSTANT(0xBF58476D1CE4E5B9);
    for (guint32 at = (guint32)(hash >> 32) & (sums->n_slots - 1);; at = (at + 1) & (sums->n_slots - 1)) {
        guint32 *slot = &sums->slots[at];
        const HieraEvidence *other = *slot == 0 ? NULL : &g_array_index(sums->list, HieraEvidence, *slot - 1);
        if (!other ||
            (other->node == place->node && other->processor == place->processor && other->comm == place->comm))
            return slot;
    }
}

static void grow(HieraEvidenceSums *sums)
{
    g_free(sums->slots);
    sums->n_slots *= 2;
    sums->slots = g_new0(guint32, sums->n_slots);
    for (guint32 i = 0; i < sums->list->len; i++)
        *find_slot(sums, &g_array_index(sums->list, HieraEvidence, i)) = i + 1;
}

/* Return the evidence with the rank, node and communicator of `place`; make it if there is none. */
static HieraEvidence *find_place(HieraEvidenceSums *sums, const HieraEvidence *place)
{
    guint32 *slot = find_slot(sums, place);
    if (*slot == 0) {
        HieraEvidence evidence = *place;
        evidence.times = sums->list->len;
        g_array_append_val(sums->list, evidence);
        g_array_set_size(sums->times_ns, sums->times_ns->len + sums->n_parts);
        *slot = sums->list->len;
        if (sums->list->len > sums->n_slots / 2)
            grow(sums);
        return &g_array_index(sums->list, HieraEvidence, sums->list->len - 1);
    }
    return &g_array_index(sums->list, HieraEvidence, *slot - 1);
}

static gint64 *find_times(const HieraEvidenceSums *sums, const HieraEvidence *evidence)
{
    return (gint64 *)(gpointer)sums->times_ns->data + (gsize)evidence->times * sums->n_parts;
}

const gint64 *hiera_evidence_peek_times(const HieraEvidenceSums *sums, const HieraEvidence *evidence)
{
    return find_times(sums, evidence);
}

void hiera_evidence_sums_add(HieraEvidenceSums *sums, const HieraTimeParts *parts, const HieraEvidence *place,
                             gint64 begin_ns, gint64 end_ns, HieraPortion portion)
{
    const HieraEvidence *evidence = find_place(sums, place);
    sums->n_intervals++;
    hiera_time_parts_add(parts, place->processor, begin_ns, end_ns, portion, find_times(sums, evidence));
}

void hiera_evidence_sums_pack(const HieraEvidenceSums *sums, HieraPacker *to)
{
    hiera_pack_number(to, sums->n_intervals);
    hiera_pack_number(to, sums->list->len);
    for (guint i = 0; i < sums->list->len; i++) {
        const HieraEvidence *evidence = &g_array_index(sums->list, HieraEvidence, i);
        const gint64 *times_ns = find_times(sums, evidence);
        hiera_pack_number(to, evidence->processor);
        hiera_pack_number(to, evidence->node);
        hiera_pack_number(to, evidence->comm);
        for (guint part = 0; part < sums->n_parts; part++)
            hiera_pack_number(to, times_ns[part]);
    }
}

void hiera_evidence_sums_unpack(HieraEvidenceSums *sums, HieraUnpacker *from)
{
    sums->n_intervals += hiera_unpack_number(from);
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        HieraEvidence place = {.processor = (guint32)hiera_unpack_number(from)};
        place.node = (guint32)hiera_unpack_number(from);
        place.comm = (guint32)hiera_unpack_number(from);
        gint64 *times_ns = find_times(sums, find_place(sums, &place));
        for (guint part = 0; part < sums->n_parts; part++)
            times_ns[part] = hiera_plus(times_ns[part], hiera_unpack_number(from));
    }
}
