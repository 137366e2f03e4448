/* Table of all operators, with a row for each: names and precedence. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Levels of precedence, weakest first. */
typedef enum HieraPrecedence {
    HIERA_PRECEDENCE_CHOICE, /* the operator ?: */
    HIERA_PRECEDENCE_IMPLIES,
    HIERA_PRECEDENCE_OR,
    HIERA_PRECEDENCE_XOR,
    HIERA_PRECEDENCE_AND,
    HIERA_PRECEDENCE_NOT,
    HIERA_PRECEDENCE_COMPARE,
    HIERA_PRECEDENCE_BIT_OR,
    HIERA_PRECEDENCE_BIT_XOR,
    HIERA_PRECEDENCE_BIT_AND,
    HIERA_PRECEDENCE_SHIFT,
    HIERA_PRECEDENCE_SUM,
    HIERA_PRECEDENCE_PRODUCT,
    HIERA_PRECEDENCE_UNARY,
} HieraPrecedence;

/* X(operator, level, names); messages use the first name. A minus is binary if an operand stands before it. */
#define HIERA_OPERATORS(X)                                                                                             \
    X(IMPLIES, IMPLIES, "->", NULL, NULL)                                                                              \
    X(OR, OR, "or", "||", "|")                                                                                         \
    X(XOR, XOR, "xor", NULL, NULL)                                                                                     \
    X(AND, AND, "and", "&&", "&")                                                                                      \
    X(NOT, NOT, "not", "!", NULL)                                                                                      \
    X(EQUAL, COMPARE, "==", NULL, NULL)                                                                                \
    X(UNEQUAL, COMPARE, "!=", NULL, NULL)                                                                              \
    X(LESS, COMPARE, "<", NULL, NULL)                                                                                  \
    X(LESS_EQUAL, COMPARE, "<=", NULL, NULL)                                                                           \
    X(GREATER, COMPARE, ">", NULL, NULL)                                                                               \
    X(GREATER_EQUAL, COMPARE, ">=", NULL, NULL)                                                                        \
    X(MATCHES, COMPARE, "=~", NULL, NULL)                                                                              \
    X(IN, COMPARE, "in", NULL, NULL)                                                                                   \
    X(BIT_OR, BIT_OR, "bor", NULL, NULL)                                                                               \
    X(BIT_XOR, BIT_XOR, "bxor", NULL, NULL)                                                                            \
    X(BIT_AND, BIT_AND, "band", NULL, NULL)                                                                            \
    X(SHIFT_LEFT, SHIFT, "shl", NULL, NULL)                                                                            \
    X(SHIFT_RIGHT, SHIFT, "shr", NULL, NULL)                                                                           \
    X(ADD, SUM, "+", NULL, NULL)                                                                                       \
    X(SUBTRACT, SUM, "-", NULL, NULL)                                                                                  \
    X(MULTIPLY, PRODUCT, "*", NULL, NULL)                                                                              \
    X(DIVIDE, PRODUCT, "/", NULL, NULL)                                                                                \
    X(REMAINDER, PRODUCT, "%", NULL, NULL)                                                                             \
    X(BIT_NOT, UNARY, "bnot", NULL, NULL)

typedef enum HieraOperator {
#define X(name, level, first, second, third) HIERA_OPERATOR_##name,
    HIERA_OPERATORS(X)
#undef X
        HIERA_N_OPERATORS
} HieraOperator;

enum { HIERA_OPERATOR_SPELLINGS = 3 };

typedef struct HieraOperatorRow {
    HieraPrecedence level;
    const char *spellings[HIERA_OPERATOR_SPELLINGS];
} HieraOperatorRow;

extern const HieraOperatorRow hiera_operators[HIERA_N_OPERATORS];

/* Find the operator with the longest name that begins the text; a word must match as a whole.
 *
 * @param length  length of the word; if it is no word, of all text that follows
 * @param found   receives the number of bytes of the name
 * @return  HIERA_N_OPERATORS if there is none */
HieraOperator hiera_operator_find(const char *text, size_t length, size_t *found);
/* Return the first name of an operator. */
const char *hiera_operator_spelling(HieraOperator operator_);
