/* Types of operators: which operands they take, the type of the result, and the messages for operands that do not fit.
 */
#pragma once

#include "lexer.h"

/* A part of the expression while it is compiled. */
typedef struct HieraOperand {
    HieraValueType type;
    size_t begin, end; /* place in the text */
    bool is_literal;   /* it is a number without operators */
    bool is_zero;      /* it is the literal 0, which also fits a duration */
    int power;         /* power of time in its unit: 1 for a time, also if the host is plain; 0 if not known */
} HieraOperand;

/* The functions below return the type of the result. If operands do not fit, they set the error of the lexer. */

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
/* The common type of both branches of `?:`. */
HieraValueType hiera_type_choice(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right);

/* Check that an operand has a type or can be converted to it: an integer to a number, 0 to a duration.
 *
 * @param what  begin of the message, such as "the condition of '?:'" */
void hiera_type_demand(HieraLexer *lexer, const HieraOperand *operand, HieraValueType wanted, const char *what);
