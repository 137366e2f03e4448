/* Text → tokens, one at a time. */
#ifndef HIERA_EXPRESSION_LEXER_H
#define HIERA_EXPRESSION_LEXER_H

#include "expression.h"
#include "operators.h"

typedef enum HieraTokenKind {
    HIERA_TOKEN_END,
    HIERA_TOKEN_VALUE, /* a number with or without unit, true, false */
    HIERA_TOKEN_TEXT,  /* in quotes; escapes are still in it */
    HIERA_TOKEN_NAME,
    HIERA_TOKEN_OPERATOR,
    HIERA_TOKEN_OPEN,       /* ( */
    HIERA_TOKEN_CLOSE,      /* ) */
    HIERA_TOKEN_COMMA,      /* , */
    HIERA_TOKEN_QUESTION,   /* ? */
    HIERA_TOKEN_COLON,      /* : and a blank */
    HIERA_TOKEN_OPEN_KEYS,  /* [ */
    HIERA_TOKEN_CLOSE_KEYS, /* ] */
} HieraTokenKind;

typedef struct HieraToken {
    HieraTokenKind kind;
    size_t begin, end; /* offsets; a text's with its quotes */
    HieraOperator operator_;
    HieraValue value;
} HieraToken;

typedef struct HieraLexer {
    const char *text;
    size_t length;
    size_t at; /* behind the last token */
    HieraExpressionError *error;
    bool failed;        /* error is set; all further tokens are END */
    bool has_variables; /* `$n` and `${n}` are names */
    const char *signs;  /* as in HieraExpressionHost */
    bool is_behind;     /* behind an operand: a sign is an operator there */
} HieraLexer;

/* Read the next token. */
HieraToken hiera_lexer_next(HieraLexer *lexer);
/* Skip blanks and return the next byte; '\0' at the end. */
char hiera_lexer_peek(HieraLexer *lexer);

/* Set the error, unless there is one, with printf()'s format; afterwards all tokens are END. */
void hiera_lexer_fail(HieraLexer *lexer, size_t begin, size_t end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Is this a letter, digit or `_`? */
bool hiera_is_word(char c);
/* Return the number of bytes of the UTF-8 character that the text begins with; 1 if it is none. `length` > 0. */
size_t hiera_character_length(const char *text, size_t length);

/* Replace the escapes of a text token.
 *
 * @param to  room for as many bytes as the token has
 * @return  the number of bytes written. A wrong escape is an error of the lexer */
size_t hiera_lexer_unescape(HieraLexer *lexer, const HieraToken *token, char *to);

#endif
