/* How many bytes a character of UTF-8 has. */
#pragma once

#include <stddef.h>

/* Return the number of bytes of a character from its first byte; 1 also for a byte that begins no character. */
static inline size_t hiera_utf8_length(unsigned char first)
{
    if (first < 0xc0)
        return 1;
    if (first < 0xe0)
        return 2;
    return first < 0xf0 ? 3 : 4;
}
