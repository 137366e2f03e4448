/* Numbers for keys; see key_index.h. A table with open addressing holds numbers, the keys lie beside it by number: 4 to
 * 8 bytes and a key for each. Keys that follow one another, as numbers of requests do, share cache lines: blocks of 16
 * are spread, their members stay together. */
#include "key_index.h"
#include "hiera_trace.h"
#include <string.h>

#define FIRST_SIZE 64 /* slots; a power of two, as all sizes are */
#define BLOCK_BITS 4

struct HieraNumbering {
    gsize key_words, capacity; /* keys that there is room for */
    guint32 *keys;
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

HieraNumbering *hiera_numbering_new(gsize key_words)
{
    HieraNumbering *numbering = g_new0(HieraNumbering, 1);
    numbering->key_words = key_words;
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

/* Spread the bits of a number over all of it; the mixer of Stafford, as in splitmix64. */
static guint64 mix(guint64 bits)
{
    bits = (bits ^ bits >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

/* Blocks are spread, and the places in each turned, or keys that are all the first of their blocks would crowd
 * together. */
static gsize hash_key(const HieraNumbering *numbering, const guint32 *key)
{
    guint64 hash = key[0] >> BLOCK_BITS, members = (1u << BLOCK_BITS) - 1;
    for (gsize i = 1; i < numbering->key_words; i++)
        hash = mix(hash) + key[i];
    hash = mix(hash);
    return (gsize)((hash & ~members) | ((key[0] ^ hash) & members));
}

static gboolean is_key(const HieraNumbering *numbering, guint32 number, const guint32 *key)
{
    const guint32 *other = hiera_numbering_peek(numbering, number);
    for (gsize i = 0; i < numbering->key_words; i++) {
        if (other[i] != key[i])
            return FALSE;
    }
    return TRUE;
}

static guint32 *find_slot(const HieraNumbering *numbering, const guint32 *key)
{
    gsize mask = numbering->size - 1, at = hash_key(numbering, key) & mask;
    while (numbering->slots[at] != HIERA_NONE && !is_key(numbering, numbering->slots[at], key))
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
        numbering->keys = g_realloc_n(numbering->keys, numbering->capacity, numbering->key_words * sizeof(guint32));
    }
    memcpy(numbering->keys + number * numbering->key_words, key, numbering->key_words * sizeof(guint32));
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
    return numbering->keys + number * numbering->key_words;
}
