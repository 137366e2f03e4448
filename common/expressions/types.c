#include "types.h"
#include <stdio.h>

const char *hiera_value_type_name(HieraValueType type)
{
    static const char *const names[] = {[HIERA_VALUE_MISSING] = "a missing value",
                                        [HIERA_VALUE_INTEGER] = "an integer",
                                        [HIERA_VALUE_NUMBER] = "a number",
                                        [HIERA_VALUE_DURATION] = "a duration",
                                        [HIERA_VALUE_TEXT] = "a text",
                                        [HIERA_VALUE_TRUTH] = "a truth",
                                        [HIERA_VALUE_ANY] = "any value"};
    return names[type];
}

/* --- messages about operands of wrong types --- */

typedef struct {
    char text[64];
} Quote;

/* The text of an operand, cut if it is long. */
static Quote quote(const HieraLexer *lexer, const HieraOperand *operand)
{
    enum { LONGEST = 40 };
    Quote quoted;
    const char *text = lexer->text + operand->begin;
    /* Only the first error is reported, so after it operands need not have offsets. */
    size_t length = lexer->failed ? 0 : operand->end - operand->begin, n = 0;
    while (n < length && n < LONGEST)
        n += hiera_character_length(text + n, length - n);
    snprintf(quoted.text, sizeof quoted.text, "%.*s%s", (int)n, text, n < length ? "…" : "");
    return quoted;
}

static HieraValueType blame_pair(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right,
                                 const char *advice)
{
    hiera_lexer_fail(lexer, left->begin, right->end, "'%s' is %s and '%s' is %s: %s", quote(lexer, left).text,
                     hiera_value_type_name(left->type), quote(lexer, right).text, hiera_value_type_name(right->type),
                     advice);
    return HIERA_VALUE_MISSING;
}

static bool is_number(const HieraOperand *operand)
{
    return operand->type == HIERA_VALUE_INTEGER || operand->type == HIERA_VALUE_NUMBER;
}

static bool is_duration(const HieraOperand *operand)
{
    return operand->type == HIERA_VALUE_DURATION;
}

/* Report that one operand is a duration, and the other one a number without a unit. */
static HieraValueType blame_unit(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right)
{
    const HieraOperand *number = is_duration(left) ? right : left;
    char advice[128];
    snprintf(advice, sizeof advice, "the %s needs a unit, as in %s%sms",
             number->type == HIERA_VALUE_INTEGER ? "integer" : "number", quote(lexer, number).text,
             number->is_literal ? "" : " * 1");
    return blame_pair(lexer, left, right, advice);
}

static HieraValueType blame_arithmetic(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *left,
                                       const HieraOperand *right, const char *needs)
{
    char advice[128];
    snprintf(advice, sizeof advice, "'%s' needs %s", hiera_operator_spelling(operator_), needs);
    return blame_pair(lexer, left, right, advice);
}

/* Whether the type of an operand is not known yet: then it fits anywhere. */
static bool is_open(const HieraOperand *operand)
{
    return operand->type == HIERA_VALUE_ANY;
}

/* --- types of arithmetic results --- */

/* Whether both operands are durations, or one is a duration and the other one the literal 0. */
static bool are_durations(const HieraOperand *left, const HieraOperand *right)
{
    return (is_duration(left) && (is_duration(right) || right->is_zero)) || (is_duration(right) && left->is_zero);
}

static HieraValueType common_number(const HieraOperand *left, const HieraOperand *right)
{
    bool whole = left->type == HIERA_VALUE_INTEGER && right->type == HIERA_VALUE_INTEGER;
    return whole ? HIERA_VALUE_INTEGER : HIERA_VALUE_NUMBER;
}

static HieraValueType type_sum(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *left,
                               const HieraOperand *right)
{
    if (are_durations(left, right))
        return HIERA_VALUE_DURATION;
    if (is_number(left) && is_number(right))
        return common_number(left, right);
    if ((is_duration(left) || is_number(left)) && (is_duration(right) || is_number(right)))
        return blame_unit(lexer, left, right);
    return blame_arithmetic(lexer, operator_, left, right, "two numbers or two durations");
}

static HieraValueType type_product(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right)
{
    if (is_number(left) && is_number(right))
        return common_number(left, right);
    if ((is_duration(left) && is_number(right)) || (is_number(left) && is_duration(right)))
        return HIERA_VALUE_DURATION;
    return blame_arithmetic(lexer, HIERA_OPERATOR_MULTIPLY, left, right, "two numbers, or a duration and a number");
}

static HieraValueType type_quotient(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right)
{
    if ((is_number(left) && is_number(right)) || (is_duration(left) && is_duration(right)))
        return HIERA_VALUE_NUMBER;
    if (is_duration(left) && is_number(right))
        return HIERA_VALUE_DURATION;
    return blame_arithmetic(lexer, HIERA_OPERATOR_DIVIDE, left, right,
                            "two numbers, two durations, or a duration before a number");
}

HieraValueType hiera_type_binary(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *left,
                                 const HieraOperand *right, bool plain)
{
    if (operator_ != HIERA_OPERATOR_XOR && (is_open(left) || is_open(right)))
        return HIERA_VALUE_ANY;
    switch (operator_) {
    case HIERA_OPERATOR_ADD:
    case HIERA_OPERATOR_SUBTRACT:
        return type_sum(lexer, operator_, left, right);
    case HIERA_OPERATOR_MULTIPLY:
        return type_product(lexer, left, right);
    case HIERA_OPERATOR_DIVIDE:
        return type_quotient(lexer, left, right);
    case HIERA_OPERATOR_REMAINDER: {
        HieraValueType type = type_sum(lexer, operator_, left, right);
        return plain && type == HIERA_VALUE_INTEGER ? HIERA_VALUE_NUMBER : type;
    }
    case HIERA_OPERATOR_XOR:
        hiera_type_demand(lexer, left, HIERA_VALUE_TRUTH, "the left side of 'xor'");
        hiera_type_demand(lexer, right, HIERA_VALUE_TRUTH, "the right side of 'xor'");
        return HIERA_VALUE_TRUTH;
    default:
        if (left->type == HIERA_VALUE_INTEGER && right->type == HIERA_VALUE_INTEGER)
            return HIERA_VALUE_INTEGER;
        return blame_arithmetic(lexer, operator_, left, right, "two integers");
    }
}

HieraValueType hiera_type_concat(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right)
{
    const HieraOperand *other = left->type == HIERA_VALUE_TEXT ? right : left;
    char advice[128];
    if (other->type == HIERA_VALUE_TEXT || is_open(other))
        return HIERA_VALUE_TEXT;
    snprintf(advice, sizeof advice, "a text is joined with a text, as in str(%s)", quote(lexer, other).text);
    return blame_pair(lexer, left, right, advice);
}

HieraValueType hiera_type_unary(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *operand)
{
    if (operator_ == HIERA_OPERATOR_NOT) {
        hiera_type_demand(lexer, operand, HIERA_VALUE_TRUTH, "the operand of 'not'");
        return HIERA_VALUE_TRUTH;
    }
    bool is_minus = operator_ == HIERA_OPERATOR_SUBTRACT;
    bool fits = is_open(operand) || operand->type == HIERA_VALUE_INTEGER ||
                (is_minus && (is_number(operand) || is_duration(operand)));
    if (!fits)
        hiera_lexer_fail(lexer, operand->begin, operand->end, "'%s' is %s: '%s' needs %s", quote(lexer, operand).text,
                         hiera_value_type_name(operand->type), hiera_operator_spelling(operator_),
                         is_minus ? "a number or a duration" : "an integer");
    return operand->type;
}

/* --- types of comparisons and of ?: --- */

static HieraValueType blame_comparison(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right)
{
    const HieraOperand *number = is_number(left) ? left : right;
    char advice[128] = "only values of the same type can be compared";
    bool has_text = left->type == HIERA_VALUE_TEXT || right->type == HIERA_VALUE_TEXT;
    if (has_text && is_number(number) && number->is_literal)
        snprintf(advice, sizeof advice, "a text is compared with a text, as in \"%s\"", quote(lexer, number).text);
    return blame_pair(lexer, left, right, advice);
}

HieraValueType hiera_type_comparison(HieraLexer *lexer, HieraOperator operator_, const HieraOperand *left,
                                     const HieraOperand *right)
{
    bool numbers = is_number(left) && is_number(right), same = left->type == right->type;
    bool orders = operator_ != HIERA_OPERATOR_EQUAL && operator_ != HIERA_OPERATOR_UNEQUAL;
    if (is_open(left) || is_open(right))
        return HIERA_VALUE_TRUTH;
    if (operator_ == HIERA_OPERATOR_IN) {
        if (!same || left->type != HIERA_VALUE_TEXT)
            blame_pair(lexer, left, right, "'in' needs a set of ranks such as 0-3 behind it, or two texts");
    } else if ((is_duration(left) && is_number(right)) || (is_number(left) && is_duration(right))) {
        if (!are_durations(left, right))
            blame_unit(lexer, left, right);
    } else if (!numbers && !same) {
        blame_comparison(lexer, left, right);
    } else if (left->type == HIERA_VALUE_TRUTH && orders) {
        blame_pair(lexer, left, right, "truths have no order; only == and != compare them");
    }
    return HIERA_VALUE_TRUTH;
}

HieraValueType hiera_type_choice(HieraLexer *lexer, const HieraOperand *left, const HieraOperand *right)
{
    if (is_open(left) || is_open(right))
        return HIERA_VALUE_ANY;
    if (left->type == right->type)
        return left->type;
    if (is_number(left) && is_number(right))
        return HIERA_VALUE_NUMBER;
    if (are_durations(left, right))
        return HIERA_VALUE_DURATION;
    return blame_pair(lexer, left, right, "both branches of '?:' need the same type");
}

/* --- conversion of a result to the wanted type --- */

void hiera_type_demand(HieraLexer *lexer, const HieraOperand *operand, HieraValueType wanted, const char *what)
{
    bool fits = wanted == HIERA_VALUE_ANY || is_open(operand) || operand->type == wanted ||
                (wanted == HIERA_VALUE_NUMBER && is_number(operand)) ||
                (wanted == HIERA_VALUE_DURATION && operand->is_zero);
    if (fits)
        return;
    char advice[128] = "";
    if (wanted == HIERA_VALUE_TRUTH)
        snprintf(advice, sizeof advice, ": compare it, as in %s != %s", quote(lexer, operand).text,
                 operand->type == HIERA_VALUE_TEXT ? "\"\"" : "0");
    if (wanted == HIERA_VALUE_DURATION && is_number(operand))
        snprintf(advice, sizeof advice, ": it needs a unit, as in %s%sms", quote(lexer, operand).text,
                 operand->is_literal ? "" : " * 1");
    hiera_lexer_fail(lexer, operand->begin, operand->end, "%s has to be %s, but '%s' is %s%s", what,
                     hiera_value_type_name(wanted), quote(lexer, operand).text, hiera_value_type_name(operand->type),
                     advice);
}
