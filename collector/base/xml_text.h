/* Text of a trace: a block of bytes that is handed to the file when it is full.
 *
 * By hand, because this is the hot part of writing: an element costs some tens of nanoseconds here, half a microsecond
 * with fprintf. Everything that comes from the program passes hiera_text_escaped(). */
#ifndef HIERA_XML_TEXT_H
#define HIERA_XML_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct HieraText {
    char *next;
    char *limit; /* the block goes on for HIERA_TEXT_MARGIN bytes behind it */
    char *base;
    void (*spill)(struct HieraText *); /* empties the block */
} HieraText;

/* A number or a short literal always fits without a check of its own. */
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

/* At most HIERA_TEXT_MARGIN bytes. */
static inline void hiera_text_short(HieraText *text, const char *bytes, size_t n)
{
    memcpy(text->next, bytes, n);
    text->next += n;
    hiera_text_check(text);
}

/* The first n bytes of an array of `size`: a copy of constant size needs no call. Size at most HIERA_TEXT_MARGIN. */
static inline __attribute__((always_inline)) void hiera_text_padded(HieraText *text, const char *bytes, size_t size,
                                                                    size_t n)
{
    memcpy(text->next, bytes, size);
    text->next += n;
    hiera_text_check(text);
}

#define HIERA_TEXT_LITERAL(text, literal) hiera_text_short(text, literal, sizeof literal - 1)

/* A text in a block of `room` bytes and HIERA_TEXT_MARGIN more, where all that is put into it is sure to fit. */
HieraText hiera_text_into(char *block, size_t room);

/* Any number of bytes, as they are. */
void hiera_text_bytes(HieraText *text, const char *bytes, size_t n);

/* Text from the program, made fit for an attribute value: markup characters escaped, what is not UTF-8 or not allowed
 * in XML replaced by U+FFFD. */
void hiera_text_escaped(HieraText *text, const char *bytes, size_t n);

void hiera_text_unsigned(HieraText *text, uint64_t value);
void hiera_text_signed(HieraText *text, int64_t value);
void hiera_text_hex(HieraText *text, uint64_t value);

/* Nanoseconds as seconds with nine decimals. */
void hiera_text_seconds(HieraText *text, uint64_t ns);

enum { HIERA_SECONDS_MAX = 21 }; /* longest text of a time */

/* Times that follow each other have most digits in common: the text of such is kept, without their last four digits.
 * Each kind of text has one of its own, all zero at first. */
typedef struct HieraNear {
    uint64_t high;   /* the times without their last four digits */
    uint32_t length; /* of the text, 0: none yet */
    uint32_t first;  /* where in it stand the last digits of the first time, */
    uint32_t finish; /* the second time, */
    uint32_t last;   /* its last digits */
    char text[96];
} HieraNear;

/* ` start_time="…" finish_time="…"` of nanoseconds; the finish is not before the start. */
void hiera_text_times_near(HieraText *text, HieraNear *near, uint64_t start, uint64_t finish);

/* A whole element, kept for the next one that differs in its times alone. */
typedef struct HieraAgain {
    uint64_t high;        /* the times in it without their last four digits */
    uint32_t length;      /* of the text, 0: nothing is kept */
    uint32_t first, last; /* where in it stand the last digits of the two times */
    char text[232];       /* so that all of it fits a block of 256 (signal_safe_memory.h) */
} HieraAgain;

/* Keep what stands from `begin` to `end`; `behind` bytes before its end ends what hiera_text_times_near() has put
 * there. If it is too long, or its times are too far from each other, nothing is kept. */
void hiera_text_keep(HieraAgain *again, const char *begin, const char *end, size_t behind, const HieraNear *near,
                     uint64_t start);

/* Put it once more, with these times. False: nothing is kept, or with other digits. */
bool hiera_text_again(HieraText *text, const HieraAgain *again, uint64_t start, uint64_t finish);

/* Times as nanoseconds and duration, behind an attribute that has been begun: `…" d="…"`. */
void hiera_text_span_near(HieraText *text, HieraNear *near, uint64_t start, uint64_t finish);

/* Seconds, into a plain array of at least HIERA_SECONDS_MAX bytes; returns the length. */
size_t hiera_text_format_seconds(char *to, uint64_t ns);

/* Digits, into a plain array with room for 21; returns how many. */
size_t hiera_text_format_unsigned(char *to, uint64_t value);

/* snprintf with a point in numbers, whatever the program's locale has there. Returns the length of what is there. */
size_t hiera_text_print(char *to, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t hiera_text_print_arguments(char *to, size_t room, const char *format, va_list arguments);

#endif
