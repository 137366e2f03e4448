/* Bytes looked at eight at a time, in one word.
 *
 * Plain bytes of an attribute's value stand for themselves: ASCII but for quotes, '&', '<' and control characters. */
#ifndef HIERA_BYTE_SCAN_H
#define HIERA_BYTE_SCAN_H

#include <glib.h>
#include <string.h>

/* A word of eight times this byte. */
#define HIERA_EACH_BYTE(byte) (G_GUINT64_CONSTANT(0x0101010101010101) * (byte))

/* The eight bytes at an address, the first one lowest. */
static inline guint64 hiera_bytes_load(const char *at)
{
    guint64 eight;
    memcpy(&eight, at, sizeof eight);
    return GUINT64_FROM_LE(eight);
}

/* The high bit of the first byte (in memory) that is not plain; those behind it may be set too. '"' and '&' differ
 * in one bit. */
static inline guint64 hiera_plain_find_other(guint64 eight)
{
    guint64 quote = (eight & ~HIERA_EACH_BYTE('"' ^ '&')) ^ HIERA_EACH_BYTE('"'), less = eight ^ HIERA_EACH_BYTE('<');
    return (((quote - HIERA_EACH_BYTE(1)) & ~quote) | ((less - HIERA_EACH_BYTE(1)) & ~less) |
            ((eight - HIERA_EACH_BYTE(' ')) & ~eight) | eight) &
           HIERA_EACH_BYTE(0x80);
}

/* The first byte that is not plain. There must be one, and seven bytes behind it that may be read. */
static inline const char *hiera_plain_skip(const char *at)
{
    for (;; at += sizeof(guint64)) {
        guint64 other = hiera_plain_find_other(hiera_bytes_load(at));
        if (other)
            return at + __builtin_ctzll(other) / 8;
    }
}

#endif
