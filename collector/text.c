/* Text of a trace: numbers and escapes by hand. See text.h. */
#include "text.h"

#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                  "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                  "8081828384858687888990919293949596979899";

void hiera_text_bytes(HieraText *text, const char *bytes, size_t n)
{
    while (n > 0) {
        size_t part = n < HIERA_TEXT_MARGIN ? n : HIERA_TEXT_MARGIN;
        hiera_text_short(text, bytes, part);
        bytes += part;
        n -= part;
    }
}

/* Length of the UTF-8 character at p that XML allows, 0 if there is none. */
static size_t character_length(const unsigned char *p, size_t n)
{
    if (p[0] < 0x80)
        return p[0] >= 0x20 ? 1 : 0;
    size_t length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
    bool noncharacter = p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe;
    bool too_large = p[0] == 0xf4 && p[1] >= 0x90;
    return overlong || surrogate || noncharacter || too_large ? 0 : length;
}

/* What stands for the character c in an attribute value, or NULL if it stands for itself. */
static const char *escape_of(unsigned char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        return NULL;
    }
}

/* Does it stand for itself, whatever is around it? */
static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '<' && c != '>' && c != '&' && c != '"';
}

static size_t plain_length(const unsigned char *p, size_t n)
{
    size_t plain = 0;
    while (plain < n && is_plain(p[plain]))
        plain++;
    return plain;
}

void hiera_text_escaped(HieraText *text, const char *bytes, size_t n)
{
    const unsigned char *p = (const unsigned char *)bytes;
    for (;;) {
        size_t plain = plain_length(p, n);
        hiera_text_bytes(text, (const char *)p, plain);
        p += plain;
        n -= plain;
        if (n == 0)
            return;
        const char *escape = escape_of(*p);
        size_t length = escape ? 1 : character_length(p, n);
        if (escape)
            hiera_text_short(text, escape, strlen(escape));
        else if (length > 0)
            hiera_text_short(text, (const char *)p, length);
        else
            HIERA_TEXT_LITERAL(text, "\xef\xbf\xbd");
        length += length == 0;
        p += length;
        n -= length;
    }
}

/* Writes the decimal digits of value before `end`; returns where they begin. */
static char *digits_before(char *end, uint64_t value)
{
    while (value >= 100) {
        end -= 2;
        memcpy(end, digit_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        end -= 2;
        memcpy(end, digit_pairs + 2 * value, 2);
    } else {
        *--end = (char)('0' + value);
    }
    return end;
}

void hiera_text_unsigned(HieraText *text, uint64_t value)
{
    if (value < 10) {
        hiera_text_char(text, (char)('0' + value));
        return;
    }
    char digits[20];
    char *begin = digits_before(digits + sizeof digits, value);
    hiera_text_short(text, begin, (size_t)(digits + sizeof digits - begin));
}

void hiera_text_signed(HieraText *text, int64_t value)
{
    if (value < 0)
        hiera_text_char(text, '-');
    hiera_text_unsigned(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void hiera_text_hex(HieraText *text, uint64_t value)
{
    char digits[16];
    size_t n = sizeof digits;
    do
        digits[--n] = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    hiera_text_short(text, digits + n, sizeof digits - n);
}

static size_t count_digits(uint64_t value)
{
    size_t n = 1;
    for (; value >= 10; value /= 10)
        n++;
    return n;
}

static void put_four_digits(char *to, uint32_t value)
{
    memcpy(to, digit_pairs + 2 * (value / 100), 2);
    memcpy(to + 2, digit_pairs + 2 * (value % 100), 2);
}

/* Without a loop, so that the digits do not wait for each other. */
size_t hiera_text_format_seconds(char *to, uint64_t ns)
{
    uint64_t seconds = ns / 1000000000u;
    uint32_t fraction = (uint32_t)(ns - seconds * 1000000000u), low = fraction % 100000000u;
    size_t n = count_digits(seconds);
    digits_before(to + n, seconds);
    to[n] = '.';
    to[n + 1] = (char)('0' + fraction / 100000000u);
    put_four_digits(to + n + 2, low / 10000);
    put_four_digits(to + n + 6, low % 10000);
    return n + 10;
}

size_t hiera_text_format_unsigned(char *to, uint64_t value)
{
    size_t n = count_digits(value);
    digits_before(to + n, value);
    return n;
}

void hiera_text_seconds(HieraText *text, uint64_t ns)
{
    text->next += hiera_text_format_seconds(text->next, ns);
    hiera_text_check(text);
}

/* With the point of the C locale, which is libc's own: asking for it allocates nothing. */
static int print_with_point(char *to, size_t room, const char *format, va_list arguments)
{
    locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!own)
        return -1;
    locale_t programs = uselocale(own);
    int n = vsnprintf(to, room, format, arguments);
    uselocale(programs);
    freelocale(own);
    return n;
}

/* Wide letters may not be known to the C locale: then as the program would print it. */
size_t hiera_text_print_arguments(char *to, size_t room, const char *format, va_list arguments)
{
    bool foreign = strcmp(nl_langinfo(RADIXCHAR), ".") != 0;
    va_list again;
    va_copy(again, arguments);
    int n = foreign ? print_with_point(to, room, format, arguments) : -1;
    if (n < 0)
        n = vsnprintf(to, room, format, again);
    va_end(again);
    if (n < 0)
        to[0] = '\0';
    return n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

size_t hiera_text_print(char *to, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t n = hiera_text_print_arguments(to, room, format, arguments);
    va_end(arguments);
    return n;
}
