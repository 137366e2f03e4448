#include "arithmetic.h"
#include <math.h>
#include <string.h>

/* Whether the value is an integer or a duration, which have the same representation. */
static bool is_whole(HieraValue value)
{
    return value.type == HIERA_VALUE_INTEGER || value.type == HIERA_VALUE_DURATION;
}

static double as_number(HieraValue value)
{
    return is_whole(value) ? (double)value.integer : value.number;
}

static HieraValue whole(int64_t integer, HieraValueType type)
{
    return (HieraValue){.type = type, .integer = integer};
}

/* Return a number as a value; NaN becomes a missing value, unless the host is `plain`. */
static HieraValue settle(double number, bool plain)
{
    return isnan(number) && !plain ? hiera_value_missing() : hiera_value_number(number);
}

/* Round a number of ns to a duration, limited to the range of int64_t; NaN: a missing value. */
static HieraValue round_duration(double ns)
{
    if (isnan(ns))
        return hiera_value_missing();
    if (fabs(ns) >= 0x1p63)
        return hiera_value_duration(ns < 0 ? INT64_MIN : INT64_MAX);
    return hiera_value_duration(llround(ns));
}

static HieraValueType either_duration(HieraValue left, HieraValue right)
{
    bool is_duration = left.type == HIERA_VALUE_DURATION || right.type == HIERA_VALUE_DURATION;
    return is_duration ? HIERA_VALUE_DURATION : HIERA_VALUE_INTEGER;
}

/* --- arithmetic operators --- */

static HieraValue add(HieraValue left, HieraValue right, bool plain)
{
    int64_t sum;
    if (!is_whole(left) || !is_whole(right))
        return settle(as_number(left) + as_number(right), plain);
    if (__builtin_add_overflow(left.integer, right.integer, &sum))
        sum = left.integer < 0 ? INT64_MIN : INT64_MAX;
    return whole(sum, either_duration(left, right));
}

static HieraValue subtract(HieraValue left, HieraValue right, bool plain)
{
    int64_t difference;
    if (!is_whole(left) || !is_whole(right))
        return settle(as_number(left) - as_number(right), plain);
    if (__builtin_sub_overflow(left.integer, right.integer, &difference))
        difference = left.integer < 0 ? INT64_MIN : INT64_MAX;
    return whole(difference, either_duration(left, right));
}

static HieraValue multiply(HieraValue left, HieraValue right, bool plain)
{
    int64_t product;
    bool is_duration = either_duration(left, right) == HIERA_VALUE_DURATION;
    if (!is_whole(left) || !is_whole(right)) {
        double number = as_number(left) * as_number(right);
        return is_duration ? round_duration(number) : settle(number, plain);
    }
    if (__builtin_mul_overflow(left.integer, right.integer, &product))
        product = (left.integer < 0) != (right.integer < 0) ? INT64_MIN : INT64_MAX;
    return whole(product, either_duration(left, right));
}

static HieraValue divide(HieraValue left, HieraValue right, bool plain)
{
    double divisor = as_number(right);
    if (divisor == 0 && !plain)
        return hiera_value_missing();
    double quotient = as_number(left) / divisor;
    bool is_duration = left.type == HIERA_VALUE_DURATION && right.type != HIERA_VALUE_DURATION;
    return is_duration ? round_duration(quotient) : settle(quotient, plain);
}

static HieraValue remainder_(HieraValue left, HieraValue right, bool plain)
{
    if (plain || !is_whole(left) || !is_whole(right))
        return settle(fmod(as_number(left), as_number(right)), plain);
    if (right.integer == 0)
        return hiera_value_missing();
    /* a remainder by -1 is 0, and not computed, because the processor traps on INT64_MIN % -1 */
    return whole(right.integer == -1 ? 0 : left.integer % right.integer, either_duration(left, right));
}

/* --- operators on bits and truth values --- */

static HieraValue bit_or(HieraValue left, HieraValue right, bool plain)
{
    (void)plain;
    return hiera_value_integer(left.integer | right.integer);
}

static HieraValue bit_xor(HieraValue left, HieraValue right, bool plain)
{
    (void)plain;
    return hiera_value_integer(left.integer ^ right.integer);
}

static HieraValue bit_and(HieraValue left, HieraValue right, bool plain)
{
    (void)plain;
    return hiera_value_integer(left.integer & right.integer);
}

static HieraValue shift_left(HieraValue left, HieraValue right, bool plain)
{
    (void)plain;
    if (right.integer < 0)
        return hiera_value_missing();
    return hiera_value_integer(right.integer > 63 ? 0 : (int64_t)((uint64_t)left.integer << right.integer));
}

/* Shift right, with zeros from the left even if the value is negative. */
static HieraValue shift_right(HieraValue left, HieraValue right, bool plain)
{
    (void)plain;
    if (right.integer < 0)
        return hiera_value_missing();
    return hiera_value_integer(right.integer > 63 ? 0 : (int64_t)((uint64_t)left.integer >> right.integer));
}

HieraValue hiera_arithmetic_binary(HieraOperator operator_, HieraValue left, HieraValue right, bool plain)
{
    static HieraValue (*const functions[HIERA_N_OPERATORS])(HieraValue, HieraValue, bool) = {
        [HIERA_OPERATOR_ADD] = add,
        [HIERA_OPERATOR_SUBTRACT] = subtract,
        [HIERA_OPERATOR_MULTIPLY] = multiply,
        [HIERA_OPERATOR_DIVIDE] = divide,
        [HIERA_OPERATOR_REMAINDER] = remainder_,
        [HIERA_OPERATOR_BIT_OR] = bit_or,
        [HIERA_OPERATOR_BIT_XOR] = bit_xor,
        [HIERA_OPERATOR_BIT_AND] = bit_and,
        [HIERA_OPERATOR_SHIFT_LEFT] = shift_left,
        [HIERA_OPERATOR_SHIFT_RIGHT] = shift_right,
    };
    if (operator_ == HIERA_OPERATOR_XOR)
        return hiera_value_truth(hiera_arithmetic_holds(left) != hiera_arithmetic_holds(right));
    if (left.type == HIERA_VALUE_MISSING || right.type == HIERA_VALUE_MISSING)
        return hiera_value_missing();
    return functions[operator_](left, right, plain);
}

HieraValue hiera_arithmetic_unary(HieraOperator operator_, HieraValue value)
{
    if (operator_ == HIERA_OPERATOR_NOT)
        return hiera_value_truth(!hiera_arithmetic_holds(value));
    if (value.type == HIERA_VALUE_MISSING)
        return value;
    if (operator_ == HIERA_OPERATOR_BIT_NOT)
        return hiera_value_integer(~value.integer);
    if (value.type == HIERA_VALUE_NUMBER)
        return hiera_value_number(-value.number);
    return whole(value.integer == INT64_MIN ? INT64_MAX : -value.integer, value.type);
}

/* --- comparisons of two values --- */

static int compare_texts(HieraValue left, HieraValue right)
{
    uint32_t shorter = left.length < right.length ? left.length : right.length;
    int order = shorter ? memcmp(left.text, right.text, shorter) : 0;
    return order ? order : (left.length > right.length) - (left.length < right.length);
}

static bool is_ordered(HieraOperator operator_, int order)
{
    switch (operator_) {
    case HIERA_OPERATOR_EQUAL:
        return order == 0;
    case HIERA_OPERATOR_UNEQUAL:
        return order != 0;
    case HIERA_OPERATOR_LESS:
        return order < 0;
    case HIERA_OPERATOR_LESS_EQUAL:
        return order <= 0;
    case HIERA_OPERATOR_GREATER:
        return order > 0;
    default:
        return order >= 0;
    }
}

bool hiera_arithmetic_compare(HieraOperator operator_, HieraValue left, HieraValue right)
{
    if (left.type == HIERA_VALUE_MISSING || right.type == HIERA_VALUE_MISSING)
        return false;
    if (operator_ == HIERA_OPERATOR_IN)
        return left.length == 0 || (right.length > 0 && memmem(right.text, right.length, left.text, left.length));
    if (left.type == HIERA_VALUE_TEXT)
        return is_ordered(operator_, compare_texts(left, right));
    if (left.type == HIERA_VALUE_TRUTH)
        return is_ordered(operator_, left.truth != right.truth);
    if (is_whole(left) && is_whole(right))
        return is_ordered(operator_, (left.integer > right.integer) - (left.integer < right.integer));
    double a = as_number(left), b = as_number(right);
    if (isnan(a) || isnan(b))
        return operator_ == HIERA_OPERATOR_UNEQUAL;
    return is_ordered(operator_, (a > b) - (a < b));
}

/* --- conversion of a value to another type --- */

HieraValue hiera_arithmetic_convert(HieraValue value, HieraValueType type, bool plain)
{
    if (plain && value.type == HIERA_VALUE_DURATION)
        value.type = HIERA_VALUE_INTEGER;
    if (plain && type == HIERA_VALUE_DURATION)
        type = HIERA_VALUE_INTEGER;
    if (type == HIERA_VALUE_NUMBER && value.type == HIERA_VALUE_INTEGER)
        return hiera_value_number((double)value.integer);
    if (type == HIERA_VALUE_DURATION && value.type == HIERA_VALUE_INTEGER && value.integer == 0)
        return hiera_value_duration(0);
    if (value.type == HIERA_VALUE_NUMBER && type == HIERA_VALUE_NUMBER)
        return settle(value.number, plain);
    return value.type == type ? value : hiera_value_missing();
}
