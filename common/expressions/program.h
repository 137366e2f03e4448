/* The compiled form of an expression: instructions for a small stack machine, in postfix order.
 *
 * The operands of an instruction come before it: evaluate.c goes through the array once. Jumps only go forward, so the
 * time of an evaluation is bounded by the number of instructions. Values carry their types; the compiler has checked
 * that they fit. */
#pragma once

#include "expression.h"
#include "operators.h"
#include "pattern.h"
#include "rank_set.h"

typedef enum HieraOpcode {
    HIERA_OP_CONSTANT, /* push constants[operand] */
    HIERA_OP_NAME,     /* push the value of names[operand] */
    HIERA_OP_BOUND,    /* push the value, of type `kind`, that get_bound() returns for the id `operand` */
    HIERA_OP_KEYED,    /* replace `more` keys on top by the value that get_keyed() returns for the id `operand` */
    HIERA_OP_CALL,     /* replace `more` arguments on top by the result of functions[operand] */
    HIERA_OP_HAS,      /* replace the top value by whether it is not missing */
    HIERA_OP_UNARY,    /* apply the operator `kind` to the top value */
    HIERA_OP_CONCAT,   /* join the two topmost texts to one */
    HIERA_OP_BINARY,   /* apply the operator `kind` (arithmetic, bits, xor) to the two topmost values */
    HIERA_OP_COMPARE,  /* compare the two topmost values by the operator `kind`; `more`: HIERA_COMPARE_… flags */
    HIERA_OP_CHAIN,    /* compare as COMPARE does: if true, keep the right value, else jump to `operand` */
    HIERA_OP_MATCH,    /* replace the top value by whether patterns[operand] matches it */
    HIERA_OP_RANKS,    /* replace the top value by whether it is in sets[operand] */
    HIERA_OP_SHORT,    /* if the top value decides the operator `kind` (and, or, ->), jump to `operand`, else pop it */
    HIERA_OP_DECIDE,   /* end of and, or, ->: a missing right side becomes false */
    HIERA_OP_BRANCH,   /* pop a value; jump to `operand` if the value was not true */
    HIERA_OP_JUMP,     /* jump to code[operand] */
    HIERA_OP_JOIN,     /* convert as CONVERT does, where the two branches of ?: meet */
    HIERA_OP_CONVERT,  /* convert the top value to type `kind` */
    HIERA_OP_END,
    HIERA_N_OPCODES
} HieraOpcode;

/* Flags of a comparison. CHAIN: the last one of a chain; TIMES: of times, so the sides are shown with a unit. */
enum { HIERA_COMPARE_CHAIN = 1, HIERA_COMPARE_TIMES = 2 };

typedef struct HieraBytecode {
    uint8_t opcode;
    uint8_t kind;
    uint16_t more;
    uint32_t operand;
} HieraBytecode;

enum { HIERA_EXPRESSION_STACK = 128 }; /* maximum number of values on the stack */

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
    char *texts; /* bytes of the text constants */
    size_t n_code, n_constants, n_patterns, n_sets, n_texts;
    unsigned needs;
    HieraValueType type;
    bool plain, guards_floats;
    bool has_fmod; /* whether an instruction calls fmod(), for the operator % */
};
