/* Patterns of `=~`: regular expressions without back-references, searched anywhere in a text.
 *
 * A pattern becomes a nondeterministic automaton of at most HIERA_PATTERN_STATES states. A search follows all states
 * at the same time, so that its time is proportional to the length of the text times the number of states, whatever the
 * pattern; it needs about 1 KiB of stack and allocates nothing. Both are read as UTF-8; a byte that is not part of a
 * UTF-8 character counts as a character. */
#ifndef HIERA_EXPRESSION_PATTERN_H
#define HIERA_EXPRESSION_PATTERN_H

#include "lexer.h"

enum { HIERA_PATTERN_STATES = 250 };

typedef enum HieraStateKind {
    HIERA_STATE_CHARACTER, /* consumes `argument`, a code point */
    HIERA_STATE_ANY,       /* consumes any character */
    HIERA_STATE_CLASS,     /* consumes a character of classes[argument] */
    HIERA_STATE_SPLIT,     /* goes on at both `out` */
    HIERA_STATE_PASS,      /* goes on at out[0] */
    HIERA_STATE_BEGIN,     /* goes on at the begin of the text only */
    HIERA_STATE_FINISH,    /* goes on at the end of the text only */
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
    uint32_t first, n; /* in ranges[] */
    bool is_negated;
} HieraCharClass;

typedef struct HieraPattern {
    HieraState states[HIERA_PATTERN_STATES];
    HieraCharClass classes[HIERA_PATTERN_STATES];
    uint32_t n_states, n_classes, n_ranges;
    uint8_t start;
    bool is_anchored;       /* begins with ^ */
    bool skips;             /* a match begins with a byte of `first` */
    uint8_t first[256 / 8]; /* bits */
    bool is_literal;        /* has no special characters: is searched as it is */
    char *source;           /* not terminated */
    uint32_t length;        /* of it */
    HieraCharRange ranges[];
} HieraPattern;

/* Compile a pattern. Errors are those of the lexer, at their place in its text.
 *
 * @param begin, end  the pattern, in the text of the lexer
 * @return  NULL if the pattern is wrong or memory is short. Free with hiera_pattern_free() */
HieraPattern *hiera_pattern_compile(HieraLexer *lexer, size_t begin, size_t end);
void hiera_pattern_free(HieraPattern *pattern);

/* Is there a match anywhere in the text? */
bool hiera_pattern_matches(const HieraPattern *pattern, const char *text, size_t length);

/* Read one character. A byte that is not part of a UTF-8 character gives HIERA_STRAY_BYTE plus its value.
 *
 * @param length  > 0
 * @param n       number of bytes read, at most 4 */
uint32_t hiera_pattern_decode(const char *text, size_t length, size_t *n);
/* Is the character in the class? */
bool hiera_pattern_in_class(const HieraPattern *pattern, const HieraCharClass *class_, uint32_t character);

enum { HIERA_STRAY_BYTE = 0x110000 };

#endif
