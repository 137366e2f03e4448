/* Which operands an operator takes, the type of its result, and what is said of operands that do not fit. */
#ifndef HIERA_EXPRESSION_TYPES_H
#define HIERA_EXPRESSION_TYPES_H

#include "lexer.h"

/* A part of the expression while it is compiled. */
typedef struct HieraOperand {
    HieraValueType type;
    size_t begin, end; /* in the text */
    bool is_literal;   /* a number without operators */
    bool is_zero;      /* the literal 0, which fits a duration too */
    int power;         /* of time in its unit: 1 for a time, also where durations are plain numbers; 0 if not known */
} HieraOperand;

/* The functions below return the type of the result. Operands that do not fit are an error of the lexer. */

/* Arithmetic, bits and xor. `plain` as in HieraExpressionHost. */
HieraValueType hiera_type_binary(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *left,
                                 const HieraOperand *right, bool plain);
/* `+` between texts, or a text and something else. */
HieraValueType hiera_type_concat(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right);
/* Minus, bnot and not. */
HieraValueType hiera_type_unary(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *operand);
/* == != < <= > >= and `in` between texts. */
HieraValueType hiera_type_comparison(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *left,
                                     const HieraOperand *right);
/* The type that both branches of `?:` become. */
HieraValueType hiera_type_choice(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right);

/* Demand that an operand has a type, or becomes it: an integer a number, 0 a duration.
 *
 * @param what  begins the message, as in "the condition of '?:'" */
void hiera_type_demand(HieraLexer *lexer, const HieraOperand *operand, HieraValueType wanted, const char *what);

#endif
