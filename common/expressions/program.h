/* The compiled form of an expression: instructions for a small stack machine, in postfix order.
 *
 * The operands of an instruction come before it, so the same array serves the evaluation (evaluate.c) and the tests
 * that print it as a tree (tree.c). Jumps only go forward: the time of an evaluation is bounded by the number of
 * instructions. Values carry their types; the compiler has made sure that they fit. */
#ifndef HIERA_EXPRESSION_PROGRAM_H
#define HIERA_EXPRESSION_PROGRAM_H

#include "expression.h"
#include "operators.h"
#include "pattern.h"
#include "rank_set.h"

typedef enum HieraOpcode {
    HIERA_OP_CONSTANT, /* push constants[operand] */
    HIERA_OP_NAME,     /* push the value of names[operand] */
    HIERA_OP_BOUND,    /* push the value of the host's number `operand`, of type `kind` */
    HIERA_OP_KEYED,    /* the same for a name with `more` keys, the topmost values */
    HIERA_OP_CALL,     /* functions[operand] of the topmost values */
    HIERA_OP_HAS,      /* is the top not missing? */
    HIERA_OP_UNARY,    /* `kind` of the top: an operator */
    HIERA_OP_CONCAT,   /* the two topmost texts become one */
    HIERA_OP_BINARY,   /* `kind` of the two topmost values: arithmetic, bits, xor */
    HIERA_OP_COMPARE,  /* `kind` of the two topmost values; `more` is HIERA_COMPARE_… */
    HIERA_OP_CHAIN,    /* the same, but if it is true keep the right value, else jump to operand */
    HIERA_OP_MATCH,    /* does patterns[operand] match the top? */
    HIERA_OP_RANKS,    /* is the top in sets[operand]? */
    HIERA_OP_SHORT,    /* if the top decides the operator `kind` (and, or, ->) jump to operand, else pop it */
    HIERA_OP_DECIDE,   /* end of such an operator: a missing right side is false */
    HIERA_OP_BRANCH,   /* pop; jump to operand if it was not true */
    HIERA_OP_JUMP,     /* jump to operand */
    HIERA_OP_JOIN,     /* end of ?: */
    HIERA_OP_CONVERT,  /* the top becomes of type `kind` */
    HIERA_OP_END,
    HIERA_N_OPCODES
} HieraOpcode;

/* Of comparisons: the last one of a chain; of times, so its sides can be told with a unit. */
enum { HIERA_COMPARE_CHAIN = 1, HIERA_COMPARE_TIMES = 2 };

typedef struct HieraBytecode {
    uint8_t opcode;
    uint8_t kind;
    uint16_t more;
    uint32_t operand;
} HieraBytecode;

enum { HIERA_EXPRESSION_STACK = 128 }; /* values on the stack, at most */

struct HieraExpression {
    const HieraExpressionName *names;
    const HieraExpressionFunction *functions;
    HieraValue (*get_bound)(unsigned id, void *context);
    HieraValue (*get_keyed)(unsigned id, const HieraValue *keys, unsigned n_keys, void *context);
    char *(*text_room)(size_t length, void *context);
    HieraBytecode *code;
    HieraValue *constants;
    HieraPattern **patterns;
    HieraRankSet **sets;
    char *texts; /* what text constants point into */
    size_t n_code, n_constants, n_patterns, n_sets, n_texts;
    unsigned needs;
    HieraValueType type;
    bool plain, guards_floats;
    bool has_fmod; /* calls fmod() */
};

#endif
