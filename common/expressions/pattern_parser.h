/* What the two files that compile patterns share. */
#ifndef HIERA_EXPRESSION_PATTERN_PARSER_H
#define HIERA_EXPRESSION_PATTERN_PARSER_H

#include "pattern.h"

typedef struct HieraPatternParser {
    HieraLexer *lexer; /* for its text, and for errors */
    HieraPattern *pattern;
    size_t at, end; /* in the text of the lexer; at the end if there is an error */
    unsigned depth; /* of groups */
} HieraPatternParser;

/* Set the error of the lexer, and end the parsing. */
#define HIERA_PATTERN_FAIL(parser, begin, end_, ...)                                                                   \
    (hiera_lexer_fail((parser)->lexer, begin, end_, __VA_ARGS__), (void)((parser)->at = (parser)->end))

/* Return the next byte; '\0' at the end. */
static inline char hiera_pattern_peek(const HieraPatternParser *parser)
{
    return parser->at < parser->end ? parser->lexer->text[parser->at] : '\0';
}

/* Read one character. The parser is not at its end. */
uint32_t hiera_pattern_read(HieraPatternParser *parser);

/* Read a class, from behind its `[` up to and with its `]`. Returns its number. */
uint32_t hiera_pattern_read_class(HieraPatternParser *parser);

/* Read an escape, from behind its backslash. `\d` and its like are a new class.
 *
 * @param class_  number of the class, if it is one
 * @return  HIERA_ESCAPE_CLASS if it is a class, else the character */
uint32_t hiera_pattern_read_escape(HieraPatternParser *parser, uint32_t *class_);
#define HIERA_ESCAPE_CLASS UINT32_MAX

#endif
