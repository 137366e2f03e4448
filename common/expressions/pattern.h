/* Patterns of `=~`: regular expressions without back-references, searched anywhere in a text.
 *
 * A pattern becomes a nondeterministic automaton of at most HIERA_PATTERN_STATES states. A search follows all states at
 * the same time, so its time is at most proportional to the length of the text times the number of states; it needs
 * about 1 KiB of stack and allocates nothing. Pattern and text are read as UTF-8; a byte that is not part of a UTF-8
 * character counts as a character. */
#pragma once

#include "lexer.h"

enum { HIERA_PATTERN_STATES = 250 };

typedef enum HieraStateKind {
    HIERA_STATE_CHARACTER, /* consumes `argument`, a code point */
    HIERA_STATE_ANY,       /* consumes any character */
    HIERA_STATE_CLASS,     /* consumes a character of classes[argument] */
    HIERA_STATE_SPLIT,     /* continues both at out[0] and at out[1] */
    HIERA_STATE_PASS,      /* continues at out[0] */
    HIERA_STATE_BEGIN,     /* continues only at the begin of the text */
    HIERA_STATE_FINISH,    /* continues only at the end of the text */
    HIERA_STATE_MATCH,
} HieraStateKind;

typedef struct HieraState {
    uint32_t argument;
    uint8_t kind;
    uint8_t out[2];
} HieraState;

typedef struct HieraCharRange {
    uint32_t first, last;
} HieraCharRange;

typedef struct HieraCharClass {
    uint32_t first, n; /* the n ranges of the class begin at ranges[first] */
    bool is_negated;
} HieraCharClass;

typedef struct HieraPattern {
    HieraState states[HIERA_PATTERN_STATES];
    HieraCharClass classes[HIERA_PATTERN_STATES];
    uint32_t n_states, n_classes, n_ranges;
    uint8_t start;
    bool is_anchored;       /* whether the pattern begins with ^ */
    bool skips;             /* whether each match begins with a byte of `first`, so that other bytes are skipped */
    uint8_t first[256 / 8]; /* bit set of the bytes with which a match can begin, if `skips` */
    bool is_literal;        /* whether the pattern has no special characters, and is searched as plain text */
    char *source;           /* text of the pattern, not terminated */
    uint32_t length;        /* length of `source` */
    HieraCharRange ranges[];
} HieraPattern;

/* Compile a pattern. Errors are reported through the lexer, at their place in its text.
 *
 * @param begin, end  offsets of the pattern in the text of the lexer
 * @return  NULL if the pattern is wrong or memory is short. Free with hiera_pattern_free() */
HieraPattern *hiera_pattern_compile(HieraLexer *lexer, size_t begin, size_t end);
void hiera_pattern_free(HieraPattern *pattern);

/* Whether there is a match anywhere in the text. */
bool hiera_pattern_matches(const HieraPattern *pattern, const char *text, size_t length);

/* Read one character. A byte that is not part of a UTF-8 character gives HIERA_STRAY_BYTE plus its value.
 *
 * @param length  > 0
 * @param n       number of bytes read, at most 4 */
uint32_t hiera_pattern_decode(const char *text, size_t length, size_t *n);
/* Whether the character is in the class. */
bool hiera_pattern_in_class(const HieraPattern *pattern, const HieraCharClass *class_, uint32_t character);

enum { HIERA_STRAY_BYTE = 0x110000 };
