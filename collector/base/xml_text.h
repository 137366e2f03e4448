/* Text of a trace: appended to a block of bytes, which is written to the file when it is full.
 *
 * Formatting is done by hand because it is the most expensive part of writing: an element takes some tens of
 * nanoseconds here, and half a microsecond with fprintf. Every text from the program goes through hiera_text_escaped().
 */
#ifndef HIERA_XML_TEXT_H
#define HIERA_XML_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct HieraText {
    char *next;
    char *limit; /* the block has HIERA_TEXT_MARGIN more bytes after it */
    char *base;
    void (*spill)(struct HieraText *); /* empties the block */
} HieraText;

/* Room for a number or a short literal without a check. */
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

/* Make a text in a block of `room` + HIERA_TEXT_MARGIN bytes. The caller must append no more than `room` bytes. */
HieraText hiera_text_into(char *block, size_t room);

/* Append any number of bytes without escaping. */
void hiera_text_bytes(HieraText *text, const char *bytes, size_t n);

/* Append text of the program as an attribute value: markup characters are escaped; bytes that are not UTF-8 and
 * characters that XML does not allow become U+FFFD. */
void hiera_text_escaped(HieraText *text, const char *bytes, size_t n);

void hiera_text_unsigned(HieraText *text, uint64_t value);
void hiera_text_signed(HieraText *text, int64_t value);
void hiera_text_hex(HieraText *text, uint64_t value);

/* Append a number so that it is read again exactly, in any locale: "3", "0.1", "nan", "-inf". */
void hiera_text_real(HieraText *text, double value);

/* Append nanoseconds as seconds with nine decimals. */
void hiera_text_seconds(HieraText *text, uint64_t ns);

enum { HIERA_SECONDS_MAX = 21 }; /* longest text of a time */

/* Cache for times: successive times have most digits in common, so their text is kept, and only the last four digits
 * are formatted again. Each kind of text has its own cache. Initialised with zeros. */
typedef struct HieraNear {
    uint64_t high;   /* the times without their last four digits */
    uint32_t length; /* of the text; 0: empty cache */
    uint32_t first;  /* offset of the last four digits of the first time */
    uint32_t finish; /* offset of the second time */
    uint32_t last;   /* offset of its last four digits */
    char text[96];
} HieraNear;

/* Append ` start_time="…" finish_time="…"`. Times in nanoseconds, finish >= start. */
void hiera_text_times_near(HieraText *text, HieraNear *near, uint64_t start, uint64_t finish);

/* Cache for an element: the next element may differ only in its times. */
typedef struct HieraAgain {
    uint64_t high;        /* the times in it without their last four digits */
    uint32_t length;      /* of the text; 0: empty cache */
    uint32_t first, last; /* offsets of the last four digits of both times */
    char text[232];       /* so that the struct fits a block of 256 bytes (signal_safe_memory.h) */
} HieraAgain;

/* Put the element from `begin` to `end` into the cache. `behind`: number of bytes after the times that
 * hiera_text_times_near() has written. An element that is too long, or has times too far apart, empties the cache. */
void hiera_text_keep(HieraAgain *again, const char *begin, const char *end, size_t behind, const HieraNear *near,
                     uint64_t start);

/* Append the cached element with these times. Returns false if the cache is empty or has other leading digits. */
bool hiera_text_again(HieraText *text, const HieraAgain *again, uint64_t start, uint64_t finish);

/* Append start and duration in nanoseconds to an attribute that has been begun: `…" d="…"`. */
void hiera_text_span_near(HieraText *text, HieraNear *near, uint64_t start, uint64_t finish);

/* Format nanoseconds as seconds into an array of at least HIERA_SECONDS_MAX bytes. Returns the length. */
size_t hiera_text_format_seconds(char *to, uint64_t ns);

/* Format a number into an array of at least 21 bytes. Returns the number of digits. */
size_t hiera_text_format_unsigned(char *to, uint64_t value);

/* Like snprintf, but always with a decimal point, whatever the program's locale. Returns the length of the text. */
size_t hiera_text_print(char *to, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t hiera_text_print_arguments(char *to, size_t room, const char *format, va_list arguments);

#endif
