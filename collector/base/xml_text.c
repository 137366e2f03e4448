/* Text of a trace: numbers are formatted and characters escaped by hand, for speed. */
#include "xml_text.h"
#include "text/utf8.h"
#include "text/xml_escape.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>

const char hiera_digit_pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                 "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                 "8081828384858687888990919293949596979899";

static void start_again(HieraText *text)
{
    text->next = text->base; /* start again at the front; never happens if the caller made `block` large enough */
}

HieraText hiera_text_into(char *block, size_t room)
{
    return (HieraText){block, block + room, block, start_again};
}

void hiera_text_bytes(HieraText *text, const char *bytes, size_t n)
{
    while (n > 0) {
        size_t part = n < HIERA_TEXT_MARGIN ? n : HIERA_TEXT_MARGIN;
        hiera_text_short(text, bytes, part);
        bytes += part;
        n -= part;
    }
}

/* Length of the UTF-8 character at p; 0 if the character is invalid or not allowed in XML. */
static size_t character_length(const unsigned char *p, size_t n)
{
    if (p[0] < 0x80)
        return p[0] >= 0x20 ? 1 : 0;
    size_t length = hiera_utf8_length(p[0]);
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

/* Whether a byte is an ASCII character that is copied to XML as it is: none of the control characters, " & < >. */
static const bool is_plain[256] = {
    [0x20 ... 0x21] = true, [0x23 ... 0x25] = true, [0x27 ... 0x3b] = true, [0x3d] = true, [0x3f ... 0x7f] = true};

static size_t plain_length(const unsigned char *p, size_t n)
{
    size_t plain = 0;
    while (plain < n && is_plain[p[plain]])
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
        const char *escape = hiera_xml_escape((char)*p);
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

/* Write up to eight digits, as two halves of four that the processor can compute at the same time. */
static size_t put_some_digits(char *to, uint32_t value)
{
    if (value < 10000)
        return hiera_text_few_digits(to, value);
    size_t n = hiera_text_few_digits(to, value / 10000);
    hiera_text_four_digits(to + n, value % 10000);
    return n + 4;
}

size_t hiera_text_format_unsigned(char *to, uint64_t value)
{
    if (value < 100000000u)
        return put_some_digits(to, (uint32_t)value);
    uint64_t high = value / 100000000u;
    uint32_t low = (uint32_t)(value - high * 100000000u);
    size_t n = high < 100000000u ? put_some_digits(to, (uint32_t)high) : hiera_text_format_unsigned(to, high);
    hiera_text_four_digits(to + n, low / 10000);
    hiera_text_four_digits(to + n + 4, low % 10000);
    return n + 8;
}

void hiera_text_unsigned(HieraText *text, uint64_t value)
{
    text->next += hiera_text_format_unsigned(text->next, value);
    hiera_text_check(text);
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

/* Written without a loop, so that the processor can compute the digits at the same time. */
size_t hiera_text_format_seconds(char *to, uint64_t ns)
{
    uint64_t seconds = ns / 1000000000u;
    uint32_t fraction = (uint32_t)(ns - seconds * 1000000000u), low = fraction % 100000000u;
    size_t n = hiera_text_format_unsigned(to, seconds);
    to[n] = '.';
    to[n + 1] = (char)('0' + fraction / 100000000u);
    hiera_text_four_digits(to + n + 2, low / 10000);
    hiera_text_four_digits(to + n + 6, low % 10000);
    return n + 10;
}

void hiera_text_real(HieraText *text, double value)
{
    char block[40];
    if (value >= -0x1p53 && value <= 0x1p53 && value == (double)(int64_t)value) {
        hiera_text_signed(text, (int64_t)value);
        return;
    }
    int n = snprintf(block, sizeof block, "%.17g", value);
    for (int i = 0; i < n; i++) /* replace the locale's decimal sign, perhaps a comma, by a point */
        block[i] = strchr("+-0123456789aefinEINF", block[i]) ? block[i] : '.';
    hiera_text_short(text, block, (size_t)n);
}

void hiera_text_seconds(HieraText *text, uint64_t ns)
{
    text->next += hiera_text_format_seconds(text->next, ns);
    hiera_text_check(text);
}

enum { NEAR = HIERA_NEAR };

static size_t append(char *to, const char *bytes, size_t n)
{
    memcpy(to, bytes, n);
    return n;
}

#define APPEND_LITERAL(to, literal) append(to, literal, sizeof literal - 1)

void hiera_text_keep_times(HieraNear *near, uint64_t start)
{
    char *text = near->text;
    uint64_t from = start - start % NEAR;
    size_t n = APPEND_LITERAL(text, " start_time=\""), begin = n;
    n += hiera_text_format_seconds(text + n, from);
    size_t digits = n - begin;
    near->first = (uint32_t)n - 4;
    n += APPEND_LITERAL(text + n, "\" finish_time=\"");
    near->finish = (uint32_t)n;
    n += append(text + n, text + begin, digits);
    near->last = (uint32_t)n - 4;
    text[n++] = '"';
    near->length = (uint32_t)n;
    near->from = from;
}

void hiera_text_keep_number(HieraNearNumber *near, uint32_t number)
{
    char digits[HIERA_SECONDS_MAX] = "";
    near->length = (uint32_t)hiera_text_format_unsigned(digits, number / NEAR);
    memcpy(near->text, digits, sizeof near->text);
    near->from = number - number % NEAR;
}

char *hiera_text_put_far_times(char *to, HieraNear *near, uint64_t finish)
{
    char *last = to + near->finish;
    hiera_text_keep_times(near, finish);
    memcpy(last, near->text + near->finish, near->length - near->finish);
    hiera_text_four_digits(last - near->finish + near->last, (uint32_t)(finish % NEAR));
    return last - near->finish + near->length;
}

void hiera_text_keep(HieraAgain *again, const char *begin, const char *end, size_t behind, const HieraNear *near,
                     uint64_t start)
{
    size_t length = (size_t)(end - begin), times = length - behind - near->length;
    again->length = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* the handler of a fault, which may run here, must find length 0 */
    if (length > sizeof again->text || start - near->from >= NEAR)
        return;
    again->from = near->from;
    again->first = (uint32_t)times + near->first;
    again->last = (uint32_t)times + near->last;
    again->behind = (uint32_t)behind;
    memcpy(again->text, begin, length);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    again->length = (uint32_t)length;
}

void hiera_text_keep_start(HieraNear *near, uint64_t start)
{
    uint64_t high = start / NEAR;
    size_t n = hiera_text_format_unsigned(near->text, high > 0 ? high : start);
    near->first = high > 0 ? (uint32_t)n : HIERA_NEAR_COPIED;
    n += high > 0 ? 4 : 0;
    n += APPEND_LITERAL(near->text + n, "\" d=\"");
    near->length = (uint32_t)n;
    near->from = high * NEAR;
}

/* Format in the C locale, for its decimal point. libc has that locale built in: newlocale() allocates nothing. */
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

/* Formats in the C locale; if that fails (wide characters may be unknown there), in the program's locale. */
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
    if (n < 0)
        return 0;
    return (size_t)n < room ? (size_t)n : room - 1;
}

size_t hiera_text_print(char *to, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t n = hiera_text_print_arguments(to, room, format, arguments);
    va_end(arguments);
    return n;
}
