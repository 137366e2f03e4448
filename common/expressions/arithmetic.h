/* Applies operators to values, whose types the compiler has checked (types.c). */
#pragma once

#include "expression.h"
#include "operators.h"

/* Arithmetic and bit operators. Integers and durations that overflow become the largest or smallest possible value. If
 * not `plain`, the result of a division by zero, or NaN, is missing.
 *
 * @param plain  as in HieraExpressionHost */
HieraValue hiera_arithmetic_binary(HieraOperator operator_, HieraValue left, HieraValue right, bool plain);
/* Apply the operator minus, bnot or not. */
HieraValue hiera_arithmetic_unary(HieraOperator operator_, HieraValue value);
/* Apply a comparison operator, or `in` to two texts. False if an operand is missing. */
bool hiera_arithmetic_compare(HieraOperator operator_, HieraValue left, HieraValue right);

/* Convert a value to a type: an integer to a number, the integer 0 to a duration. A value that cannot be converted
 * becomes missing. */
HieraValue hiera_arithmetic_convert(HieraValue value, HieraValueType type, bool plain);
/* Whether the value is of type TRUTH and true. */
static inline bool hiera_arithmetic_holds(HieraValue value)
{
    return value.type == HIERA_VALUE_TRUTH && value.truth;
}
