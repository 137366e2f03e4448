/* Values of registers before a jump: what both machines share. Each machine says what its instructions do with them. */
#ifndef HIERA_IMAGE_JUMP_VALUES_H
#define HIERA_IMAGE_JUMP_VALUES_H

#include "flow.h"
#include "limits.h"

/* How far to look back. */
enum { HIERA_BEFORE_MAX = 48 };

typedef enum {
    HIERA_VALUE_UNKNOWN,  /* computed in a way that is not known */
    HIERA_VALUE_CONSTANT, /* number */
    HIERA_VALUE_SCALED,   /* something times `size` */
    HIERA_VALUE_LOADED,   /* element of the table at `number`, of `size` bytes */
    HIERA_VALUE_SUM,      /* the same, shifted, plus `base` */
    HIERA_VALUE_ELEMENT,  /* element of a table that is not known */
    HIERA_VALUE_POINTER,  /* made elsewhere, and of no table: read from memory, an argument, the result of a call */
    HIERA_VALUE_STACK     /* in the function's part of the stack */
} HieraValueKind;

typedef struct {
    HieraValueKind kind;
    guint64 number, base;
    guint size, shift;
    gboolean is_signed;
    guint64 n;        /* of a table, or of something scaled: the index is less than that; 0: it may be anything */
    HieraLimit limit; /* how large it is itself */
} HieraJumpValue;

/* A jump to a pointer whose targets were found, and from what. */
typedef struct {
    guint64 address;
    gboolean leaves;      /* it is a call; else it has a table */
    HieraJumpValue value; /* `n`: as all paths prove it */
    guint n;              /* elements of the table as they were read; 0: it is not known how many there are */
    guint n_read;         /* elements that could be such */
} HieraPointerJump;

enum { HIERA_REGISTERS_MAX = 32 };
typedef struct HieraJumpEvaluation HieraJumpEvaluation;

/* The registers of a machine, and what its instructions do with them. They have numbers from 0; parts of a register
 * have its number, and others -1. */
typedef struct {
    int (*number_of)(guint reg);
    int (*destination)(const cs_insn *raw);   /* register that is the first operand, -1 if it is none */
    gboolean (*compares)(const cs_insn *raw); /* it changes no register but the flags; Capstone is wrong about some */
    /* The value that an instruction gives its first operand. */
    HieraJumpValue (*evaluate)(const HieraJumpEvaluation *evaluation, const cs_insn *raw);
    /* Value that the nearest instructions before `at` in the function give a register: compilers set addresses before a
     * loop. */
    HieraJumpValue (*look_far)(const HieraJumpEvaluation *evaluation, int reg);
    /* The pointer that a jump goes to, once what is before it is evaluated. */
    HieraJumpValue (*target_of)(const HieraJumpEvaluation *evaluation, const cs_insn *jump);
    /* Number of elements of the table, from the nearest comparison before the jump (hiera_walk_before). 0: not known.
     */
    guint (*find_bound)(HieraDecoder *decoder, const guint64 *before, const gboolean *taken, guint n);
    HieraEffect (*effect)(const cs_insn *raw);
    HieraCondition (*condition)(const cs_insn *raw);
    guint32 changed; /* registers that a call may change, a bit for each */
    int stack;       /* the pointer to the stack */
} HieraRegisters;

const HieraRegisters *hiera_registers_of(HieraArchitecture machine);

/* Those of each machine; for hiera_registers_of. */
extern const HieraRegisters hiera_x86_registers, hiera_aarch64_registers;

struct HieraJumpEvaluation {
    const HieraRegisters *registers;
    const HieraFlow *flow;
    guint64 at;           /* address of the current instruction */
    gboolean moves_stack; /* an instruction but a call has changed the pointer to the stack */
    gboolean is_whole;    /* it has come from the entry: nothing is to be looked for elsewhere */
    HieraJumpValue values[HIERA_REGISTERS_MAX];
    HieraJumpLimits limits;
};

/* Whether two values are the same, however large. */
gboolean hiera_value_is_same(const HieraJumpValue *a, const HieraJumpValue *b);
/* How many numbers the low bytes of a register can be: all less than that. 0: not known. */
guint64 hiera_count_of(const HieraJumpEvaluation *evaluation, guint reg, guint bytes);

/* The value of a register. @param far  look for it in all of the function if it is not known */
HieraJumpValue hiera_value_of(const HieraJumpEvaluation *evaluation, guint reg, gboolean far);

/* Evaluate n instructions before a jump, the nearest to it first (hiera_walk_before). @return the pointer it goes to */
HieraJumpValue hiera_evaluate_jump(const HieraFlow *flow, guint64 jump, const HieraRegisters *registers,
                                   const guint64 *before, guint n);

/* Evaluate one instruction. */
void hiera_evaluate_step(HieraJumpEvaluation *evaluation, guint64 address);
/* What instructions do to limits; for jump_values.c. Before an instruction: what it makes of numbers, and what it
 * compares. */
HieraLimit hiera_limits_result(HieraJumpEvaluation *evaluation, const HieraEffect *effect);
void hiera_limits_compare(HieraJumpEvaluation *evaluation, const HieraEffect *effect);
/* A register changes that may address memory. */
void hiera_limits_forget_register(HieraJumpEvaluation *evaluation, int reg);
/* Memory changes as an instruction says. @param limit  of what is stored */
void hiera_limits_store(HieraJumpEvaluation *evaluation, const HieraEffect *effect, const HieraLimit *limit);
/* A branch goes a way, by the last comparison. */
void hiera_limits_branch(HieraJumpEvaluation *evaluation, HieraCondition condition);

/* The pointer that the jump at an address goes to, once what is before it is evaluated. */
HieraJumpValue hiera_evaluate_target(HieraJumpEvaluation *evaluation, guint64 jump);

#endif
