#include "printable.h"
#include "text/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Decode the UTF-8 character at p. @return  its length; an invalid byte has length 1 and *character is 0 */
static size_t read_character(const unsigned char *p, size_t n, uint32_t *character)
{
    size_t length = hiera_utf8_length(p[0]);
    *character = p[0] < 0x80 ? p[0] : 0;
    if (length == 1 || length > n || p[0] > 0xf7)
        return 1;
    uint32_t value = p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 1;
        value = value << 6 | (p[i] & 0x3f);
    }
    *character = value;
    return length;
}

/* True for control characters, and for characters that hide or reorder text: soft hyphen, zero width, direction, line
 * separators, tags. */
static bool is_unseen(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0, 0x1f},        {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},
                  {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180e, 0x180e},   {0x200b, 0x200f},   {0x2028, 0x202e},
                  {0x2060, 0x206f}, {0x3164, 0x3164},   {0xd800, 0xdfff},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
                  {0xfff9, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}, {0x110000, UINT32_MAX}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return false;
}

void hiera_printable(char *text, size_t length)
{
    for (size_t at = 0, n; at < length; at += n) {
        uint32_t character;
        n = read_character((const unsigned char *)text + at, length - at, &character);
        if (!is_unseen(character))
            continue;
        if (n == 3)
            memcpy(text + at, "\xef\xbf\xbd", 3);
        else
            memset(text + at, '?', n);
    }
}
