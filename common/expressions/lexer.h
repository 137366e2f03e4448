/* Splits a text into tokens, one at a time. */
#pragma once

#include "expression.h"
#include "operators.h"

typedef enum HieraTokenKind {
    HIERA_TOKEN_END,
    HIERA_TOKEN_VALUE, /* a number with or without a unit, or true, or false */
    HIERA_TOKEN_TEXT,  /* a text in quotes; escapes are not replaced yet */
    HIERA_TOKEN_NAME,
    HIERA_TOKEN_OPERATOR,
    HIERA_TOKEN_OPEN,       /* ( */
    HIERA_TOKEN_CLOSE,      /* ) */
    HIERA_TOKEN_COMMA,      /* , */
    HIERA_TOKEN_QUESTION,   /* ? */
    HIERA_TOKEN_COLON,      /* a colon and a blank */
    HIERA_TOKEN_OPEN_KEYS,  /* [ */
    HIERA_TOKEN_CLOSE_KEYS, /* ] */
} HieraTokenKind;

typedef struct HieraToken {
    HieraTokenKind kind;
    size_t begin, end; /* offsets in the text; those of a text token include its quotes */
    HieraOperator operator_;
    HieraValue value;
} HieraToken;

typedef struct HieraLexer {
    const char *text;
    size_t length;
    size_t at; /* offset behind the last token */
    HieraExpressionError *error;
    bool failed;        /* `error` is set; all further tokens are END */
    bool has_variables; /* true if `$n` and `${n}` are names */
    const char *signs;  /* characters that may begin a name: see HieraExpressionHost.signs */
    bool is_behind;     /* whether the lexer is behind an operand, so that a sign such as & is an operator */
} HieraLexer;

/* Read the next token. */
HieraToken hiera_lexer_next(HieraLexer *lexer);
/* Skip blanks and return the next byte; '\0' at the end. */
char hiera_lexer_peek(HieraLexer *lexer);

/* Set the error, unless there is one already; arguments as for printf(). Afterwards all tokens are END. */
void hiera_lexer_fail(HieraLexer *lexer, size_t begin, size_t end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether this is a letter, digit or `_`. */
bool hiera_is_word(char c);
/* Return the number of bytes of the UTF-8 character at the begin of the text; 1 if there is none. `length` > 0. */
size_t hiera_character_length(const char *text, size_t length);

/* Replace the escapes of a text token.
 *
 * @param to  room for as many bytes as the token has
 * @return  number of bytes written. A wrong escape is an error of the lexer */
size_t hiera_lexer_unescape(HieraLexer *lexer, const HieraToken *token, char *to);
