/* Tokens → instructions, by precedence climbing. */
#ifndef HIERA_EXPRESSION_PARSER_H
#define HIERA_EXPRESSION_PARSER_H

#include "emitter.h"
#include "types.h"

typedef struct HieraParser {
    HieraLexer lexer;
    HieraToken token; /* the next one */
    HieraEmitter emitter;
    const HieraExpressionHost *host;
    size_t last_end;                       /* end of the token before */
    unsigned depth;                        /* of calls of hiera_parse_level() */
    const HieraExpressionFunction *inside; /* whose argument, an expression of its own, is being parsed; or NULL */
    int power;                             /* HieraOperand.power of the name or call that was parsed last */
} HieraParser;

/* An expression without instructions; NULL if memory is short. (compile.c) */
HieraExpression *hiera_parser_new_expression(const HieraExpressionHost *host);

/* Go to the next token. */
void hiera_parser_advance(HieraParser *parser);
/* Is the next token this operator? */
bool hiera_parser_is(const HieraParser *parser, HieraOperator operator_);
/* Blame the next token: `expected` says what should stand there, as in "a value". */
void hiera_parser_unexpected(HieraParser *parser, const char *expected);

/* Parse operators of this level and of stronger ones, and append their instructions. */
HieraOperand hiera_parse_level(HieraParser *parser, HieraPrecedence weakest);
/* Parse what stands between operators: a literal, name, call, or a part in parentheses. (parse_operand.c) */
HieraOperand hiera_parse_operand(HieraParser *parser);
/* Parse comparisons with this left side, while there are any. (parse_comparison.c) */
HieraOperand hiera_parse_comparisons(HieraParser *parser, HieraOperand left);

/* Append what makes a value of one type another one, if they differ. */
void hiera_parser_convert(HieraParser *parser, HieraValueType from, HieraValueType to);

#endif
