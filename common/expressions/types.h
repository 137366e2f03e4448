/* Types of operators: which operands they take, the type of the result, and the messages for operands that do not fit.
 */
#pragma once

#include "lexer.h"

/* What the compiler knows of a part of the expression that is an operand. */
typedef struct HieraOperand {
    HieraValueType type;
    size_t begin, end; /* offsets in the text */
    bool is_literal;   /* whether the operand is a number as written, without operators */
    bool is_zero;      /* whether the operand is the literal 0, which also fits a duration */
    int power;         /* power of time in the operand's unit, also of a plain host: 1 for ns; 0: not known */
} HieraOperand;

/* The functions below return the type of the result. If operands do not fit, they set the error of the lexer. */

/* Return the type of an arithmetic or bit operation, or of xor. `plain` as in HieraExpressionHost. */
HieraValueType hiera_type_binary(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *left,
                                 const HieraOperand *right, bool plain);
/* Return the type of `+` between texts, or between a text and something else. */
HieraValueType hiera_type_concat(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right);
/* Return the type of a unary operation: minus, bnot or not. */
HieraValueType hiera_type_unary(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *operand);
/* Return the type of == != < <= > >=, or of `in` between texts. */
HieraValueType hiera_type_comparison(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *left,
                                     const HieraOperand *right);
/* Return the common type of both branches of `?:`. */
HieraValueType hiera_type_choice(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right);

/* Check that an operand has a type or can be converted to it: an integer to a number, 0 to a duration.
 *
 * @param what  begin of the message, such as "the condition of '?:'" */
void hiera_type_demand(HieraLexer *lexer, const HieraOperand *operand, HieraValueType wanted, const char *what);
