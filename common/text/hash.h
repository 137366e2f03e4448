/* Hash functions for bytes (FNV-1a by Fowler, Noll, Vo, 64 bits), with the same results on all machines and in all
 * processes; and for numbers. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HIERA_HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/* Extend a hash by n bytes; the first hash is HIERA_HASH_BEGIN. */
static inline uint64_t hiera_hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    for (const unsigned char *at = bytes; n-- > 0; at++)
        hash = (hash ^ *at) * UINT64_C(0x100000001b3);
    return hash;
}

static inline uint64_t hiera_hash_text(uint64_t hash, const char *text)
{
    return hiera_hash_bytes(hash, text, strlen(text));
}

/* Hash of a number, for tables of at most 2^32 entries. */
static inline size_t hiera_hash_number(uint64_t number)
{
    return (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* Hash of the 64-bit number at an address: a GHashFunc. g_int64_hash() returns the low half of the number. */
static inline unsigned hiera_hash_number_at(const void *number)
{
    uint64_t copy;
    memcpy(&copy, number, sizeof copy);
    return (unsigned)hiera_hash_number(copy);
}

/* Two numbers as a key of a hash table, whose GHashFunc is hiera_hash_pair(): g_direct_hash() returns the low number.
 */
static inline void *hiera_pair(uint32_t high, uint32_t low)
{
    return (void *)(uintptr_t)((uint64_t)high << 32 | low);
}

static inline unsigned hiera_hash_pair(const void *pair)
{
    return (unsigned)hiera_hash_number((uintptr_t)pair);
}

static inline size_t hiera_hash_address(const void *address)
{
    return hiera_hash_number((uintptr_t)address);
}

/* Extend a hash by a number; the first hash may be any number. */
static inline uint64_t hiera_hash_more(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 32;
}

/* Hash of n words, with `hash` as start value. It takes four words at a time, so that the processor computes their
 * products in parallel. */
static inline uint64_t hiera_hash_words(const uint64_t *words, size_t n, uint64_t hash)
{
    static const uint64_t factors[] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
                                       UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93)};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        uint64_t sum =
            words[i] * factors[0] + words[i + 1] * factors[1] + words[i + 2] * factors[2] + words[i + 3] * factors[3];
        hash = (hash ^ sum ^ sum >> 32) * factors[0];
    }
    for (; i < n; i++)
        hash = (hash ^ words[i] * factors[i % 4]) * factors[0];
    hash = (hash ^ hash >> 32) * factors[1]; /* mix all bits into the low ones, which hash tables use */
    return hash ^ hash >> 29;
}
