/* Text of a trace: appended to a block of bytes, which is written to the file when it is full.
 *
 * Formatting is done by hand because it is the most expensive part of writing: an element takes some tens of
 * nanoseconds here, and half a microsecond with fprintf. Every text from the program goes through hiera_text_escaped().
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct HieraText {
    char *next;
    char *limit; /* end of the block; HIERA_TEXT_MARGIN more bytes are allocated behind */
    char *base;
    void (*spill)(struct HieraText *); /* called when the block is full: empties it and resets `next` */
} HieraText;

/* Allocated bytes behind `limit`, so that a number or a short literal can be appended without a check before. */
enum { HIERA_TEXT_MARGIN = 256 };

static inline void hiera_text_check(HieraText *text)
{
    if (__builtin_expect(text->next >= text->limit, 0))
        text->spill(text);
}

static inline void hiera_text_char(HieraText *text, char c)
{
    *text->next++ = c;
    hiera_text_check(text);
}

/* Append at most HIERA_TEXT_MARGIN bytes. */
static inline void hiera_text_short(HieraText *text, const char *bytes, size_t n)
{
    memcpy(text->next, bytes, n);
    text->next += n;
    hiera_text_check(text);
}

/* Append the first n bytes of an array of `size` bytes, at most HIERA_TEXT_MARGIN. Copying a constant size needs no
 * call of memcpy. */
static inline __attribute__((always_inline)) void hiera_text_padded(HieraText *text, const char *bytes, size_t size,
                                                                    size_t n)
{
    memcpy(text->next, bytes, size);
    text->next += n;
    hiera_text_check(text);
}

#define HIERA_TEXT_LITERAL(text, literal) hiera_text_short(text, literal, sizeof literal - 1)

/* Return a HieraText in a block of `room` + HIERA_TEXT_MARGIN bytes. The caller appends at most `room` bytes. */
HieraText hiera_text_into(char *block, size_t room);

/* Append any number of bytes without escaping. */
void hiera_text_bytes(HieraText *text, const char *bytes, size_t n);

/* Append text of the program as an attribute value: markup characters are escaped; bytes that are not UTF-8 and
 * characters that XML does not allow become U+FFFD. */
void hiera_text_escaped(HieraText *text, const char *bytes, size_t n);

/* The texts "00" to "99". */
extern const char hiera_digit_pairs[];

/* Write a number below 10000 as four digits, with leading zeros. */
static inline void hiera_text_four_digits(char *to, uint32_t value)
{
    size_t high = value / 100, low = value % 100;
    memcpy(to, hiera_digit_pairs + 2 * high, 2);
    memcpy(to + 2, hiera_digit_pairs + 2 * low, 2);
}

/* Return the two digits of a number below 100 as characters, the first one in the low byte. */
static inline uint32_t hiera_text_pair(size_t value)
{
    const unsigned char *pair = (const unsigned char *)hiera_digit_pairs + 2 * value;
    return (uint32_t)(pair[0] | pair[1] << 8);
}

/* Write a number below 10000 without leading zeros; returns the number of digits. Always writes four bytes. It has no
 * branches, since the number of digits of a duration is hard to predict. */
static inline size_t hiera_text_few_digits(char *to, uint32_t value)
{
    uint32_t digits = hiera_text_pair(value / 100) | hiera_text_pair(value % 100) << 16;
    unsigned zeros = (unsigned)__builtin_ctz((digits & 0x0f0f0f0f) | 0x01000000) & 24; /* 8 bits per leading zero */
    digits >>= zeros;
    for (unsigned i = 0; i < 4; i++) /* compilers combine these four stores into one */
        to[i] = (char)(digits >> 8 * i);
    return 4 - zeros / 8;
}

void hiera_text_unsigned(HieraText *text, uint64_t value);
void hiera_text_signed(HieraText *text, int64_t value);
void hiera_text_hex(HieraText *text, uint64_t value);

/* Append a number such that reading it gives the same double, in any locale: "3", "0.1", "nan", "-inf". */
void hiera_text_real(HieraText *text, double value);

/* Append nanoseconds as seconds with nine decimals. */
void hiera_text_seconds(HieraText *text, uint64_t ns);

enum { HIERA_SECONDS_MAX = 21 }; /* bytes of the longest text of a time */

/* Cache for times: successive times have most digits in common, so their text is kept, and only the last four digits
 * are formatted again. Each kind of text has a cache of its own. Initialised with zeros. */
enum { HIERA_NEAR = 10000 };
typedef struct HieraNear {
    uint64_t from;   /* the cached start time, with its last four digits set to zero */
    uint32_t length; /* length of `text`; 0: empty cache */
    uint32_t first;  /* offset in `text` of the last four digits of the start time */
    uint32_t finish; /* offset in `text` of the finish time */
    uint32_t last;   /* offset in `text` of the last four digits of the finish time */
    char text[96];
} HieraNear;

/* Helpers of hiera_text_put_times(): cache the text of times with the leading digits of `start`; write a second time
 * whose leading digits differ from the cached ones. */
void hiera_text_keep_times(HieraNear *near, uint64_t start);
char *hiera_text_put_far_times(char *to, HieraNear *near, uint64_t finish);

/* Write ` start_time="…" finish_time="…"` into an array of at least HIERA_TIMES_MAX bytes. Returns its end. Times in
 * nanoseconds, finish >= start. */
enum { HIERA_TIMES_MAX = sizeof((HieraNear *)0)->text };
static inline char *hiera_text_put_times(char *to, HieraNear *near, uint64_t start, uint64_t finish)
{
    if (__builtin_expect(start - near->from >= HIERA_NEAR || near->length == 0, 0))
        hiera_text_keep_times(near, start);
    uint64_t late = finish - near->from;
    memcpy(to, near->text, HIERA_TIMES_MAX);
    hiera_text_four_digits(to + near->first, (uint32_t)(start - near->from));
    if (__builtin_expect(late >= HIERA_NEAR, 0))
        return hiera_text_put_far_times(to, near, finish);
    hiera_text_four_digits(to + near->last, (uint32_t)late);
    return to + near->length;
}

/* Append ` start_time="…" finish_time="…"`, as hiera_text_put_times() writes it. */
static inline void hiera_text_times_near(HieraText *text, HieraNear *near, uint64_t start, uint64_t finish)
{
    text->next = hiera_text_put_times(text->next, near, start, finish);
    hiera_text_check(text);
}

/* Cache for the digits of a number that grows from element to element; only the last four are formatted again. */
typedef struct HieraNearNumber {
    uint32_t from, length; /* from: number with its last four digits 0, 0: empty; length: number of other digits */
    char text[8];
} HieraNearNumber;

void hiera_text_keep_number(HieraNearNumber *near, uint32_t number);

/* Write the number into an array of at least 21 bytes. Returns the end of the text. */
static inline char *hiera_text_put_number(char *to, HieraNearNumber *near, uint32_t number)
{
    if (number < HIERA_NEAR)
        return to + hiera_text_few_digits(to, number);
    if (__builtin_expect(number - near->from >= HIERA_NEAR || near->from == 0, 0))
        hiera_text_keep_number(near, number);
    memcpy(to, near->text, sizeof near->text);
    hiera_text_four_digits(to + near->length, number - near->from);
    return to + near->length + 4;
}

/* Cache for a whole element, since the next element may differ only in its times. */
typedef struct HieraAgain {
    uint64_t from;   /* start time with its last four digits set to zero; the finish time has the same leading digits */
    uint32_t length; /* length of the element's text; 0: empty cache */
    uint32_t first, last; /* offsets in `text` of the last four digits of the start and of the finish time */
    uint32_t behind;      /* number of bytes after the times */
    char text[232];       /* 232 bytes make the struct fit into an allocation of 256 bytes (signal_safe_memory.h) */
} HieraAgain;

/* Put the element from `begin` to `end` into the cache. `behind`: number of bytes after the times that
 * hiera_text_times_near() has written. An element that is too long, or has times too far apart, empties the cache. */
void hiera_text_keep(HieraAgain *again, const char *begin, const char *end, size_t behind, const HieraNear *near,
                     uint64_t start);

/* Append the cached element with these times. Returns false if the cache is empty or holds times with other leading
 * digits. */
static inline bool hiera_text_again(HieraText *text, const HieraAgain *again, uint64_t start, uint64_t finish)
{
    enum { USUAL = 192 };
    _Static_assert(USUAL < sizeof again->text && sizeof again->text <= HIERA_TEXT_MARGIN, "copies of constant size");
    uint64_t low = start - again->from, late = finish - again->from;
    if (again->length == 0 || low >= HIERA_NEAR || late >= HIERA_NEAR)
        return false;
    memcpy(text->next, again->text, USUAL);
    if (again->length > USUAL)
        memcpy(text->next + USUAL, again->text + USUAL, sizeof again->text - USUAL);
    hiera_text_four_digits(text->next + again->first, (uint32_t)low);
    hiera_text_four_digits(text->next + again->last, (uint32_t)late);
    text->next += again->length;
    hiera_text_check(text);
    return true;
}

/* Format nanoseconds as seconds into an array of at least HIERA_SECONDS_MAX bytes. Returns the length. */
size_t hiera_text_format_seconds(char *to, uint64_t ns);

/* Format a number into an array of at least 21 bytes. Returns the number of digits. */
size_t hiera_text_format_unsigned(char *to, uint64_t value);

/* Cache the text of a start time for hiera_text_put_span(). A time below 10000 has no leading digits: its whole text is
 * cached for one use, and the four digits that are written behind it do no harm. */
enum { HIERA_NEAR_COPIED = 32 };
void hiera_text_keep_start(HieraNear *near, uint64_t start);

/* Write start and duration in nanoseconds, `…" d="…"`, into an array of at least HIERA_SPAN_MAX bytes. Returns its end.
 */
enum { HIERA_SPAN_MAX = 64 };
static inline char *hiera_text_put_span(char *to, HieraNear *near, uint64_t start, uint64_t finish)
{
    uint64_t duration = finish - start;
    if (__builtin_expect(start - near->from >= HIERA_NEAR || near->from == 0, 0))
        hiera_text_keep_start(near, start);
    uint32_t last_digits = (uint32_t)(start - near->from);
    memcpy(to, near->text, HIERA_NEAR_COPIED);
    hiera_text_four_digits(to + near->first, last_digits);
    to += near->length;
    to += __builtin_expect(duration < HIERA_NEAR, 1) ? hiera_text_few_digits(to, (uint32_t)duration)
                                                     : hiera_text_format_unsigned(to, duration);
    *to++ = '"';
    return to;
}

/* Append `…" d="…"` (start and duration, in nanoseconds) to an attribute whose name and first quote are written. */
static inline void hiera_text_span_near(HieraText *text, HieraNear *near, uint64_t start, uint64_t finish)
{
    text->next = hiera_text_put_span(text->next, near, start, finish);
    hiera_text_check(text);
}

/* Like snprintf, but always with a decimal point, whatever the program's locale. Returns the length of the text. */
size_t hiera_text_print(char *to, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t hiera_text_print_arguments(char *to, size_t room, const char *format, va_list arguments);
