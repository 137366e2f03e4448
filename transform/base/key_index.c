/* See key_index.h. A hash table with open addressing holds the numbers; an array by number holds the keys. Memory per
 * key: 8 to 16 bytes, and the key. Consecutive keys (numbers of requests, for example) share cache lines: the hash
 * spreads blocks of 16 keys and keeps the keys of a block together. */
#include "key_index.h"
#include "hiera_trace.h"
#include <string.h>

#define FIRST_SIZE 64 /* number of hash slots at the start; every later number is a power of two, too */
#define BLOCK_BITS 4

struct HieraKeyIndex {
    gsize key_words, capacity; /* capacity: number of keys for which `keys` has memory */
    guint32 *keys;
    guint32 *slots; /* by hash: number of the key; HIERA_NONE: the slot is free */
    gsize size;
    guint32 n;
};

static guint32 *new_slots(gsize size)
{
    guint32 *slots = g_new(guint32, size);
    memset(slots, 0xff, size * sizeof *slots); /* all bits set is HIERA_NONE: every slot is free */
    return slots;
}

HieraKeyIndex *hiera_key_index_new(gsize key_words)
{
    HieraKeyIndex *index = g_new0(HieraKeyIndex, 1);
    index->key_words = key_words;
    index->size = FIRST_SIZE;
    index->slots = new_slots(index->size);
    return index;
}

void hiera_key_index_free(HieraKeyIndex *index)
{
    if (!index)
        return;
    g_free(index->keys);
    g_free(index->slots);
    g_free(index);
}

/* Mix the bits of a number by Stafford's function, as splitmix64 does, so that each affects the whole hash. */
static guint64 mix(guint64 bits)
{
    bits = (bits ^ bits >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

/* Hash the block of the key, and permute the places in it by a part of that hash: otherwise the first keys of all
 * blocks would collide. */
static gsize hash_key(const HieraKeyIndex *index, const guint32 *key)
{
    guint64 hash = key[0] >> BLOCK_BITS, members = (1u << BLOCK_BITS) - 1;
    for (gsize i = 1; i < index->key_words; i++)
        hash = mix(hash) + key[i];
    hash = mix(hash);
    return (gsize)((hash & ~members) | ((key[0] ^ hash) & members));
}

static gboolean is_key(const HieraKeyIndex *index, guint32 number, const guint32 *key)
{
    const guint32 *other = hiera_key_index_peek(index, number);
    for (gsize i = 0; i < index->key_words; i++) {
        if (other[i] != key[i])
            return FALSE;
    }
    return TRUE;
}

static guint32 *find_slot(const HieraKeyIndex *index, const guint32 *key)
{
    gsize mask = index->size - 1, at = hash_key(index, key) & mask;
    while (index->slots[at] != HIERA_NONE && !is_key(index, index->slots[at], key))
        at = (at + 1) & mask;
    return &index->slots[at];
}

static void grow(HieraKeyIndex *index)
{
    g_free(index->slots);
    index->size *= 2;
    index->slots = new_slots(index->size);
    for (guint32 i = 0; i < index->n; i++)
        *find_slot(index, hiera_key_index_peek(index, i)) = i;
}

guint32 hiera_key_index_add(HieraKeyIndex *index, const void *key)
{
    guint32 *slot = find_slot(index, key);
    if (*slot != HIERA_NONE)
        return *slot;
    guint32 number = *slot = index->n++;
    if (number == index->capacity) {
        index->capacity = MAX(index->capacity * 2, FIRST_SIZE / 2);
        index->keys = g_realloc_n(index->keys, index->capacity, index->key_words * sizeof(guint32));
    }
    memcpy(index->keys + number * index->key_words, key, index->key_words * sizeof(guint32));
    if ((gsize)index->n * 2 > index->size)
        grow(index);
    return number;
}

const void *hiera_key_index_peek(const HieraKeyIndex *index, guint32 number)
{
    return index->keys + number * index->key_words;
}
