/* Upper limits of numbers in registers and memory, which bound the index into a jump table. */
#pragma once

#include "image/code/decoder.h"

/* Known limit of a number. Its low `width` bytes, as an unsigned number, are at most `most`; with a width of 0 nothing
 * is known. Numbers with the same `origin` are the low `taken` bytes of the same number, extended with zeros or with
 * the sign; so a comparison of one of them limits the others. */
typedef struct {
    guint64 most;
    guint64 origin; /* address of the instruction that first used the number; 0: none */
    guint8 width, taken;
    gboolean with_sign;
} HieraLimit;

/* A register, or a place in memory that is addressed by registers. */
typedef struct {
    int reg; /* number of the register; -1: the operand is in memory, if `size` is not 0 */
    int base, index;
    guint scale;
    guint64 offset;
    guint size; /* size in bytes; 0 in memory: the place is not known */
} HieraJumpOperand;

typedef enum {
    HIERA_EFFECT_OTHER,  /* `to` gets an unknown number */
    HIERA_EFFECT_COPY,   /* `to` gets the low bytes of `from`: as many as `from` has */
    HIERA_EFFECT_NUMBER, /* `to` gets `number` */
    HIERA_EFFECT_MASK,   /* `to` gets some bits of `number` */
    HIERA_EFFECT_SHIFT,  /* `to` gets `from`, shifted to the right by `number` */
    HIERA_EFFECT_COMPARE /* `from` is compared with `number`; `to` gets an unknown number */
} HieraEffectKind;

typedef struct {
    HieraEffectKind kind;
    HieraJumpOperand to, from;
    guint64 number;
    gboolean with_sign;   /* whether a copy is sign-extended */
    gboolean keeps_flags; /* whether the flags of the last comparison stay as they are */
    gboolean stores;      /* whether the instruction changes memory: at `to`, or at an unknown place */
} HieraEffect;

/* Condition of a branch, on the last comparison. Each condition is followed by its opposite. */
typedef enum {
    HIERA_JUMP_IF_EQUAL,
    HIERA_JUMP_IF_NOT_EQUAL,
    HIERA_JUMP_IF_ABOVE, /* unsigned, as the next three */
    HIERA_JUMP_IF_NOT_ABOVE,
    HIERA_JUMP_IF_BELOW,
    HIERA_JUMP_IF_NOT_BELOW,
    HIERA_JUMP_IF_GREATER, /* signed, as the next three */
    HIERA_JUMP_IF_NOT_GREATER,
    HIERA_JUMP_IF_LESS,
    HIERA_JUMP_IF_NOT_LESS,
    HIERA_JUMP_IF_NEGATIVE,
    HIERA_JUMP_IF_NOT_NEGATIVE,
    HIERA_JUMP_IF_OTHER
} HieraCondition;

/* Number of places in memory with known limits. If there are more, the oldest is forgotten. */
enum { HIERA_MEMORY_MAX = 8 };
typedef struct {
    HieraJumpOperand place; /* where in memory the number is; `size` 0: this entry is unused */
    HieraLimit limit;
} HieraMemory;

/* The last comparison, of a number of `width` bytes with another number. The number is the low `taken` bytes of its
 * origin. `width` 0: it is not known. */
typedef struct {
    guint64 origin, number;
    guint8 width, taken;
    gboolean unequal; /* whether a branch has shown that the compared numbers are not equal */
} HieraJumpComparison;

/* Limits known at an address of the code, except those of registers; and the last comparison before. */
typedef struct {
    HieraMemory memory[HIERA_MEMORY_MAX];
    HieraJumpComparison comparison;
} HieraJumpLimits;

/* Greatest value that the low `bytes` bytes of a number can have. */
guint64 hiera_limit_of(const HieraLimit *limit, guint bytes);
/* Return the limit of a number that, depending on the path, is one of two numbers. */
HieraLimit hiera_limit_join(const HieraLimit *a, const HieraLimit *b);
gboolean hiera_limit_is_same(const HieraLimit *a, const HieraLimit *b);
/* Join `limits` with those of another path to the same address. @return  whether `limits` changed */
gboolean hiera_limits_join(HieraJumpLimits *limits, const HieraJumpLimits *other);

/* Return the effect of an instruction on numbers; there is a function for each machine. */
HieraEffect hiera_x86_effect(const cs_insn *raw);
HieraEffect hiera_aarch64_effect(const cs_insn *raw);
/* Return the condition under which a branch is taken; there is a function for each machine. */
HieraCondition hiera_x86_condition(const cs_insn *raw);
HieraCondition hiera_aarch64_condition(const cs_insn *raw);
