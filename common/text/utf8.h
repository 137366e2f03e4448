/* How many bytes a character of UTF-8 has. */
#pragma once

#include <stddef.h>

/* @param first  its first byte. @return 1 for what begins no character, too */
static inline size_t hiera_utf8_length(unsigned char first)
{
    if (first < 0xc0)
        return 1;
    if (first < 0xe0)
        return 2;
    return first < 0xf0 ? 3 : 4;
}
