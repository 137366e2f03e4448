/* A hash of bytes (Fowler, Noll, Vo: FNV-1a, 64 bits), the same on all machines and in all processes. */
#ifndef HIERA_HASH_H
#define HIERA_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HIERA_HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/* Go on from a hash, at first from HIERA_HASH_BEGIN. */
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

#endif
