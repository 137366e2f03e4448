/* See call_sequence.h. The sequence is a chain of pairs: a number of calls that are as expected, then one call that is
 * not. Numbers are stored 7 bits per byte, lowest first; all bytes of a number but the last have the highest bit set.
 */
#include "call_sequence.h"

enum { BITS = 7, MORE = 1 << BITS };

struct HieraCallSequence {
    GByteArray *pairs;
    GArray *next;     /* guint32 by call: the call that came after it last time; 0: none */
    guint32 last;     /* the call before the next one; 0: no call yet */
    guint64 expected; /* number of calls after the last of `pairs`, all predicted by `next` */
    gsize bytes_max;
    gboolean cut;
};

static GArray *new_next(void)
{
    return g_array_new(FALSE, TRUE, sizeof(guint32));
}

/* Return the element of `next` that has the last successor of a call. */
static guint32 *follower(GArray *next, guint32 call)
{
    if (call >= next->len)
        g_array_set_size(next, call + 1);
    return &g_array_index(next, guint32, call);
}

HieraCallSequence *hiera_call_sequence_new(gsize bytes_max)
{
    HieraCallSequence *sequence = g_new0(HieraCallSequence, 1);
    sequence->pairs = g_byte_array_new();
    sequence->next = new_next();
    sequence->bytes_max = bytes_max;
    return sequence;
}

void hiera_call_sequence_free(HieraCallSequence *sequence)
{
    if (!sequence)
        return;
    g_byte_array_unref(sequence->pairs);
    g_clear_pointer(&sequence->next, g_array_unref);
    g_free(sequence);
}

static void put_number(GByteArray *bytes, guint64 number)
{
    for (; number >= MORE; number >>= BITS)
        g_byte_array_append(bytes, (guint8[]){(guint8)(number % MORE | MORE)}, 1);
    g_byte_array_append(bytes, (guint8[]){(guint8)number}, 1);
}

void hiera_call_sequence_append(HieraCallSequence *sequence, guint32 call)
{
    guint32 *next = follower(sequence->next, sequence->last);
    sequence->cut = sequence->cut || (*next != call && sequence->pairs->len >= sequence->bytes_max);
    if (sequence->cut)
        return;
    if (*next == call)
        sequence->expected++;
    else {
        put_number(sequence->pairs, sequence->expected);
        put_number(sequence->pairs, call);
        sequence->expected = 0;
        *next = call;
    }
    sequence->last = call;
}

void hiera_call_sequence_finish(HieraCallSequence *sequence)
{
    g_clear_pointer(&sequence->next, g_array_unref);
}

void hiera_call_sequence_pack(const HieraCallSequence *sequence, HieraPacker *to)
{
    hiera_pack_number(to, sequence->pairs->len);
    hiera_pack_bytes(to, sequence->pairs->data, sequence->pairs->len);
    hiera_pack_number(to, (gint64)sequence->expected);
    hiera_pack_number(to, sequence->cut);
}

HieraCallSequence *hiera_call_sequence_unpack(HieraUnpacker *from)
{
    HieraCallSequence *sequence = hiera_call_sequence_new(0);
    g_byte_array_set_size(sequence->pairs, (guint)hiera_unpack_number(from));
    hiera_unpack_bytes(from, sequence->pairs->data, sequence->pairs->len);
    sequence->expected = (guint64)hiera_unpack_number(from);
    sequence->cut = (gboolean)hiera_unpack_number(from);
    return sequence;
}

gboolean hiera_call_sequence_is_cut(const HieraCallSequence *sequence)
{
    return sequence->cut;
}

static guint64 take_number(const GByteArray *bytes, guint *at)
{
    guint64 number = 0;
    guint shift = 0;
    for (; bytes->data[*at] >= MORE; shift += BITS)
        number |= (guint64)(bytes->data[(*at)++] % MORE) << shift;
    return number | (guint64)bytes->data[(*at)++] << shift;
}

/* Read how many predicted calls follow; after the last pair that is `expected` of the sequence. */
static void take_expected(HieraCallWalk *walk)
{
    const HieraCallSequence *sequence = walk->sequence;
    walk->expected = walk->at < sequence->pairs->len ? take_number(sequence->pairs, &walk->at) : sequence->expected;
}

void hiera_call_walk_init(HieraCallWalk *walk, const HieraCallSequence *sequence)
{
    *walk = (HieraCallWalk){.sequence = sequence, .next = new_next()};
    take_expected(walk);
}

void hiera_call_walk_clear(HieraCallWalk *walk)
{
    g_array_unref(walk->next);
}

guint32 hiera_call_walk_next(HieraCallWalk *walk)
{
    guint32 *next = follower(walk->next, walk->last);
    if (walk->expected > 0) {
        walk->expected--;
        return walk->last = *next;
    }
    if (walk->at >= walk->sequence->pairs->len)
        return 0;
    *next = (guint32)take_number(walk->sequence->pairs, &walk->at);
    walk->last = *next;
    take_expected(walk);
    return walk->last;
}
