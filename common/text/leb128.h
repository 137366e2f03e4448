/* Numbers with a variable number of bytes (LEB128): seven bits a byte, the lowest first; the highest bit says that
 * another byte follows. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { HIERA_LEB_BYTES = 10 }; /* most bytes that a number takes */

/* Write a number. @return  number of bytes written */
static inline size_t hiera_leb_put(unsigned char *to, uint64_t value)
{
    size_t n = 0;
    for (; value > 0x7f; value >>= 7)
        to[n++] = (unsigned char)(value | 0x80);
    to[n] = (unsigned char)value;
    return n + 1;
}

/* Read a number. @param n  number of bytes available. @return  number of bytes read; 0 if the number is not complete */
static inline size_t hiera_leb_get(const unsigned char *from, size_t n, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < n && i < HIERA_LEB_BYTES; i++) {
        *value |= (uint64_t)(from[i] & 0x7f) << (7 * i);
        if (from[i] < 0x80)
            return i + 1;
    }
    return 0;
}
