/* Numbers for keys; see numbering.h. A table with open addressing holds numbers, the keys lie beside it by number: 4 to
 * 8 bytes and a key for each. Keys that follow one another, as numbers of requests do, share cache lines: blocks of 16
 * are spread, their members stay together. */
#include "numbering.h"
#include "hiera_trace.h"
#include <string.h>

#define FIRST_SIZE 64 /* slots; a power of two, as all sizes are */
#define BLOCK_BITS 4

struct HieraNumbering {
    gsize key_bytes, capacity; /* keys that there is room for */
    guint8 *keys;
    guint32 *slots; /* number, or HIERA_NONE */
    gsize size;
    guint32 n;
};

static guint32 *new_slots(gsize size)
{
    guint32 *slots = g_new(guint32, size);
    memset(slots, 0xff, size * sizeof *slots); /* HIERA_NONE */
    return slots;
}

HieraNumbering *hiera_numbering_new(gsize key_bytes)
{
    HieraNumbering *numbering = g_new0(HieraNumbering, 1);
    numbering->key_bytes = key_bytes;
    numbering->size = FIRST_SIZE;
    numbering->slots = new_slots(numbering->size);
    return numbering;
}

void hiera_numbering_free(HieraNumbering *numbering)
{
    if (!numbering)
        return;
    g_free(numbering->keys);
    g_free(numbering->slots);
    g_free(numbering);
}

/* Multiplication by the golden ratio spreads keys with any step; the high bits are the good ones. */
static gsize hash_key(const HieraNumbering *numbering, const void *key)
{
    guint32 word;
    memcpy(&word, key, sizeof word);
    guint64 hash = word >> BLOCK_BITS, member = word & ((1u << BLOCK_BITS) - 1);
    for (gsize at = sizeof word; at < numbering->key_bytes; at += sizeof word) {
        memcpy(&word, (const guint8 *)key + at, sizeof word);
        hash = (hash * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) ^ (hash >> 32) ^ word;
    }
    hash *= G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    return (gsize)((hash >> 32) << BLOCK_BITS | member);
}

static guint32 *find_slot(const HieraNumbering *numbering, const void *key)
{
    gsize mask = numbering->size - 1, at = hash_key(numbering, key) & mask;
    while (numbering->slots[at] != HIERA_NONE &&
           memcmp(hiera_numbering_peek(numbering, numbering->slots[at]), key, numbering->key_bytes) != 0)
        at = (at + 1) & mask;
    return &numbering->slots[at];
}

static void grow(HieraNumbering *numbering)
{
    g_free(numbering->slots);
    numbering->size *= 2;
    numbering->slots = new_slots(numbering->size);
    for (guint32 i = 0; i < numbering->n; i++)
        *find_slot(numbering, hiera_numbering_peek(numbering, i)) = i;
}

guint32 hiera_numbering_add(HieraNumbering *numbering, const void *key)
{
    guint32 *slot = find_slot(numbering, key);
    if (*slot != HIERA_NONE)
        return *slot;
    guint32 number = *slot = numbering->n++;
    if (number == numbering->capacity) {
        numbering->capacity = MAX(numbering->capacity * 2, FIRST_SIZE / 2);
        numbering->keys = g_realloc_n(numbering->keys, numbering->capacity, numbering->key_bytes);
    }
    memcpy(numbering->keys + number * numbering->key_bytes, key, numbering->key_bytes);
    if ((gsize)numbering->n * 2 > numbering->size)
        grow(numbering);
    return number;
}

guint32 hiera_numbering_count(const HieraNumbering *numbering)
{
    return numbering->n;
}

const void *hiera_numbering_peek(const HieraNumbering *numbering, guint32 number)
{
    return numbering->keys + number * numbering->key_bytes;
}
