/* Makes instructions from tokens, by precedence climbing. */
#pragma once

#include "emitter.h"
#include "types.h"

typedef struct HieraParser {
    HieraLexer lexer;
    HieraToken token; /* the next token */
    HieraEmitter emitter;
    const HieraExpressionHost *host;
    size_t last_end;                       /* offset of the end of the previous token */
    unsigned depth;                        /* depth of recursion of hiera_parse_level() */
    const HieraExpressionFunction *inside; /* function whose deferred argument is being parsed; or NULL */
    int power;                             /* power of time in the unit of the last name or call, as in HieraOperand */
} HieraParser;

/* Make an expression without instructions; NULL: memory is short. (compile.c) */
HieraExpression *hiera_parser_new_expression(const HieraExpressionHost *host);

/* Go to the next token. */
void hiera_parser_advance(HieraParser *parser);
/* Report the next token as an error: `expected` names what should stand there, such as "a value". */
void hiera_parser_unexpected(HieraParser *parser, const char *expected);

/* Parse operators that bind at least as strongly as `weakest`, with their operands, and append their instructions. */
HieraOperand hiera_parse_level(HieraParser *parser, HieraPrecedence weakest);
/* Parse an operand: a literal, name, call, or a part in parentheses. (parse_operand.c) */
HieraOperand hiera_parse_operand(HieraParser *parser);
/* Parse the comparisons that follow this left side. (parse_comparison.c) */
HieraOperand hiera_parse_comparisons(HieraParser *parser, HieraOperand left);

/* Append an instruction that converts the topmost value from one type to another, if the types differ. */
void hiera_parser_convert(HieraParser *parser, HieraValueType from, HieraValueType to);
