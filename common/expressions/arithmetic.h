/* Operators on values. The types of the operands are those that types.c lets pass. */
#ifndef HIERA_EXPRESSION_ARITHMETIC_H
#define HIERA_EXPRESSION_ARITHMETIC_H

#include "expression.h"
#include "operators.h"

/* Arithmetic and bits. Integers and durations that are too large become the largest or smallest possible one. Not
 * plain: a division by zero, and what is no number (NaN), is missing.
 *
 * @param plain  as in HieraExpressionHost */
HieraValue hiera_arithmetic_binary(HieraOperator operator_, HieraValue left, HieraValue right, bool plain);
/* Minus, bnot and not. */
HieraValue hiera_arithmetic_unary(HieraOperator operator_, HieraValue value);
/* Comparisons, and `in` of two texts. False if a side is missing. */
bool hiera_arithmetic_compare(HieraOperator operator_, HieraValue left, HieraValue right);

/* Make a value of a type: an integer a number, the integer 0 a duration. What cannot be converted becomes missing. */
HieraValue hiera_arithmetic_convert(HieraValue value, HieraValueType type, bool plain);
/* Return whether the value is a truth and true. */
static inline bool hiera_arithmetic_holds(HieraValue value)
{
    return value.type == HIERA_VALUE_TRUTH && value.truth;
}

#endif
