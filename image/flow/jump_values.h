/* Values of registers before a jump: the part common to both machines. Each machine defines what its instructions do
 * with them. */
#pragma once

#include "flow.h"
#include "limits.h"

/* Greatest number of instructions to look back from a jump. */
enum { HIERA_BEFORE_MAX = 48 };

typedef enum {
    HIERA_VALUE_UNKNOWN,  /* the value is computed in an unknown way */
    HIERA_VALUE_CONSTANT, /* the value is `number` */
    HIERA_VALUE_SCALED,   /* an unknown number times `size` */
    HIERA_VALUE_LOADED,   /* element, of `size` bytes, of the table at address `number` */
    HIERA_VALUE_SUM,      /* element of the table at `number`, shifted, plus `base` */
    HIERA_VALUE_ELEMENT,  /* element of an unknown table */
    HIERA_VALUE_POINTER,  /* a pointer made elsewhere, not from a table: read from memory, an argument, the result of a
                             call */
    HIERA_VALUE_STACK     /* address in the function's stack frame */
} HieraValueKind;

typedef struct {
    HieraValueKind kind;
    guint64 number, base;
    guint size, shift;
    gboolean is_signed;
    guint64 n;        /* of a table element or scaled number: the index is less than `n`; 0: any index */
    HieraLimit limit; /* upper limit of the value itself */
} HieraJumpValue;

/* A jump to a pointer whose targets were found, and the value from which they were found. */
typedef struct {
    guint64 address;
    gboolean leaves;      /* whether the jump is a tail call of another function; otherwise it uses a table */
    HieraJumpValue value; /* value of the pointer; value.n: limit of the index that all paths prove */
    guint n;              /* number of elements of the table, as the code before the jump limits it; 0: not known */
    guint n_read;         /* number of elements that were read from the table as valid targets */
} HieraPointerJump;

enum { HIERA_REGISTERS_MAX = 32 };
typedef struct HieraJumpEvaluation HieraJumpEvaluation;

/* The registers of a machine, and the effects of its instructions on them. Registers are numbered from 0; a part of a
 * register has the number of the whole, any other register -1. */
typedef struct {
    int (*number_of)(guint reg);
    int (*destination)(const cs_insn *raw);   /* number of the first operand's register, -1: none */
    gboolean (*compares)(const cs_insn *raw); /* the instruction changes only flags, no register; Capstone is wrong
                                                 about some instructions */
    /* The value that an instruction gives its first operand. */
    HieraJumpValue (*evaluate)(const HieraJumpEvaluation *evaluation, const cs_insn *raw);
    /* Value that a register gets from the nearest instruction before `at` in the function: compilers set addresses
     * before a loop. */
    HieraJumpValue (*look_far)(const HieraJumpEvaluation *evaluation, int reg);
    /* Return the pointer that a jump goes to, after the instructions before the jump were evaluated. */
    HieraJumpValue (*target_of)(const HieraJumpEvaluation *evaluation, const cs_insn *jump);
    /* Number of elements of the table, from the nearest comparison before the jump (hiera_walk_before). 0: not known.
     */
    guint (*find_bound)(HieraDecoder *decoder, const guint64 *before, const gboolean *taken, guint n);
    HieraEffect (*effect)(const cs_insn *raw);
    HieraCondition (*condition)(const cs_insn *raw);
    guint32 changed; /* registers that a call may change, as a bit mask */
    int stack;       /* number of the stack pointer's register */
} HieraRegisters;

const HieraRegisters *hiera_registers_of(HieraArchitecture machine);

/* The registers of each machine, which hiera_registers_of() returns. */
extern const HieraRegisters hiera_x86_registers, hiera_aarch64_registers;

struct HieraJumpEvaluation {
    const HieraRegisters *registers;
    const HieraFlow *flow;
    guint64 at;           /* address of the current instruction */
    gboolean moves_stack; /* whether an instruction other than a call has changed the stack pointer */
    gboolean is_whole;    /* whether the evaluation began at the function's entry, so that look_far() is not needed */
    HieraJumpValue values[HIERA_REGISTERS_MAX];
    HieraJumpLimits limits;
};

/* Whether two values are the same, apart from their limits. */
gboolean hiera_value_is_same(const HieraJumpValue *a, const HieraJumpValue *b);
/* Return n if the low bytes of a register are always less than n; 0: not known. */
guint64 hiera_count_of(const HieraJumpEvaluation *evaluation, guint reg, guint bytes);

/* Return the value of a register. @param far  if the value is not known, look for it in the whole function */
HieraJumpValue hiera_value_of(const HieraJumpEvaluation *evaluation, guint reg, gboolean far);

/* Evaluate n instructions before a jump, given nearest first (hiera_walk_before). @return the pointer that the jump
 * goes to */
HieraJumpValue hiera_evaluate_jump(const HieraFlow *flow, guint64 jump, const HieraRegisters *registers,
                                   const guint64 *before, guint n);

/* Evaluate one instruction: update the values and limits of registers and memory. */
void hiera_evaluate_step(HieraJumpEvaluation *evaluation, guint64 address);
/* Effect of instructions on limits; for jump_values.c. Call both before an instruction takes effect: the first returns
 * the limit of its result, the second records what it compares. */
HieraLimit hiera_limits_result(HieraJumpEvaluation *evaluation, const HieraEffect *effect);
void hiera_limits_compare(HieraJumpEvaluation *evaluation, const HieraEffect *effect);
/* Forget the limits of memory that a register addresses, because the register changes. */
void hiera_limits_forget_register(HieraJumpEvaluation *evaluation, int reg);
/* Change memory as an instruction does. @param limit  limit of the stored number */
void hiera_limits_store(HieraJumpEvaluation *evaluation, const HieraEffect *effect, const HieraLimit *limit);
/* Restrict limits by the last comparison, after a branch for which `condition` held. */
void hiera_limits_branch(HieraJumpEvaluation *evaluation, HieraCondition condition);

/* Return the pointer that the jump at an address goes to, after the instructions before the jump were evaluated. */
HieraJumpValue hiera_evaluate_target(HieraJumpEvaluation *evaluation, guint64 jump);
