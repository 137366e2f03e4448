/* Declarations that the files which compile patterns share. */
#pragma once

#include "pattern.h"

typedef struct HieraPatternParser {
    HieraLexer *lexer; /* its text contains the pattern; receives errors */
    HieraPattern *pattern;
    size_t at, end; /* range in the text of the lexer that is still to be read; empty after an error */
    unsigned depth; /* nesting depth of groups */
} HieraPatternParser;

/* Set the error of the lexer, and stop parsing. */
#define HIERA_PATTERN_FAIL(parser, begin, end_, ...)                                                                   \
    (hiera_lexer_fail((parser)->lexer, begin, end_, __VA_ARGS__), (void)((parser)->at = (parser)->end))

/* Return the next byte; '\0' at the end. */
static inline char hiera_pattern_peek(const HieraPatternParser *parser)
{
    return parser->at < parser->end ? parser->lexer->text[parser->at] : '\0';
}

/* Read one character. The parser is not at its end. */
uint32_t hiera_pattern_read(HieraPatternParser *parser);

/* Read a character class, from behind its `[` to its `]`. Returns its index in `classes` of the pattern. */
uint32_t hiera_pattern_read_class(HieraPatternParser *parser);

/* Read an escape, from behind its backslash. `\d` and the like make a new class.
 *
 * @param class_  receives the index of the class, if it is one
 * @return  HIERA_ESCAPE_CLASS if it is a class, else the character */
uint32_t hiera_pattern_read_escape(HieraPatternParser *parser, uint32_t *class_);
#define HIERA_ESCAPE_CLASS UINT32_MAX
