/* Scans attribute values eight bytes at a time, in one 64-bit word.
 *
 * Plain bytes of a value need no decoding: all of ASCII except '"', '&', '<' and control characters. */
#pragma once

#include <glib.h>
#include <string.h>

/* A 64-bit word whose eight bytes all have this value. */
#define HIERA_EACH_BYTE(byte) (G_GUINT64_CONSTANT(0x0101010101010101) * (byte))

/* Load the eight bytes at an address into a 64-bit word; the first byte becomes the word's lowest. */
static inline guint64 hiera_bytes_load(const char *at)
{
    guint64 eight;
    memcpy(&eight, at, sizeof eight);
    return GUINT64_FROM_LE(eight);
}

/* Mark bytes that are not plain. Return 0 if all eight are plain. Otherwise the lowest bit that is set is the high
 * bit of the first byte (in memory) that is not plain; higher bits mean nothing. One comparison finds both '"' and
 * '&', because they differ in one bit only. */
static inline guint64 hiera_plain_find_other(guint64 eight)
{
    guint64 quote = (eight & ~HIERA_EACH_BYTE('"' ^ '&')) ^ HIERA_EACH_BYTE('"'), less = eight ^ HIERA_EACH_BYTE('<');
    return (((quote - HIERA_EACH_BYTE(1)) & ~quote) | ((less - HIERA_EACH_BYTE(1)) & ~less) |
            ((eight - HIERA_EACH_BYTE(' ')) & ~eight) | eight) &
           HIERA_EACH_BYTE(0x80);
}

/* Return the first byte that is not plain, which must exist; the seven bytes behind it must be readable. */
static inline const char *hiera_plain_skip(const char *at)
{
    for (;; at += sizeof(guint64)) {
        guint64 other = hiera_plain_find_other(hiera_bytes_load(at));
        if (other)
            return at + __builtin_ctzll(other) / 8;
    }
}
