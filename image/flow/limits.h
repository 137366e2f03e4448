/* How large a number in a register or in memory can be: for the index of a table of jumps. */
#ifndef HIERA_IMAGE_LIMITS_H
#define HIERA_IMAGE_LIMITS_H

#include "image/code/decoder.h"

/* What is known of a number. Its low `width` bytes, as a number without sign, are at most `most`; nothing is known with
 * a width of 0. Numbers with the same `origin` are the low `taken` bytes of one and the same number, widened with zeros
 * or with the sign; so a comparison of one of them tells of the others. */
typedef struct {
    guint64 most;
    guint64 origin; /* address of the instruction that has first used that number; 0: none */
    guint8 width, taken;
    gboolean with_sign;
} HieraLimit;

/* A register, or a place in memory that registers address. */
typedef struct {
    int reg; /* number; -1: in memory, if `size` is not 0 */
    int base, index;
    guint scale;
    guint64 offset;
    guint size; /* bytes; of memory 0: not known where */
} HieraJumpOperand;

typedef enum {
    HIERA_EFFECT_OTHER,  /* `to` gets a number that is not known */
    HIERA_EFFECT_COPY,   /* `to` gets the low bytes of `from`, as many as `from` has */
    HIERA_EFFECT_NUMBER, /* `to` gets `number` */
    HIERA_EFFECT_MASK,   /* `to` gets some bits of `number` */
    HIERA_EFFECT_SHIFT,  /* `to` gets `from`, shifted to the right by `number` */
    HIERA_EFFECT_COMPARE /* `from` is compared with `number`; `to` gets a number that is not known */
} HieraEffectKind;

typedef struct {
    HieraEffectKind kind;
    HieraJumpOperand to, from;
    guint64 number;
    gboolean with_sign;   /* a copy is widened with its sign */
    gboolean keeps_flags; /* later branches still depend on the comparison before it */
    gboolean stores;      /* it changes memory: at `to`, or nobody knows where */
} HieraEffect;

/* When a branch is taken, of the last comparison. Each is followed by its contrary. */
typedef enum {
    HIERA_JUMP_IF_EQUAL,
    HIERA_JUMP_IF_NOT_EQUAL,
    HIERA_JUMP_IF_ABOVE, /* without sign */
    HIERA_JUMP_IF_NOT_ABOVE,
    HIERA_JUMP_IF_BELOW,
    HIERA_JUMP_IF_NOT_BELOW,
    HIERA_JUMP_IF_GREATER, /* with sign */
    HIERA_JUMP_IF_NOT_GREATER,
    HIERA_JUMP_IF_LESS,
    HIERA_JUMP_IF_NOT_LESS,
    HIERA_JUMP_IF_NEGATIVE,
    HIERA_JUMP_IF_NOT_NEGATIVE,
    HIERA_JUMP_IF_OTHER
} HieraCondition;

/* Memory of which something is known. More places are forgotten. */
enum { HIERA_MEMORY_MAX = 8 };
typedef struct {
    HieraJumpOperand place; /* `size` 0: nothing */
    HieraLimit limit;
} HieraMemory;

/* The last comparison: of a number of `width` bytes, which is the low `taken` bytes of its origin, with another number.
 * `width` 0: it is not known. */
typedef struct {
    guint64 origin, number;
    guint8 width, taken;
    gboolean unequal; /* a branch has told that the two are not equal */
} HieraJumpComparison;

/* What is known at an address, but of the registers. */
typedef struct {
    HieraMemory memory[HIERA_MEMORY_MAX];
    HieraJumpComparison comparison;
} HieraJumpLimits;

/* The greatest number in the low bytes of a number. */
guint64 hiera_limit_of(const HieraLimit *limit, guint bytes);
/* What is known of a number that is one or the other. */
HieraLimit hiera_limit_join(const HieraLimit *a, const HieraLimit *b);
gboolean hiera_limit_is_same(const HieraLimit *a, const HieraLimit *b);
/* Join with what is known elsewhere. @return whether that made a difference to `limits` */
gboolean hiera_limits_join(HieraJumpLimits *limits, const HieraJumpLimits *other);

/* What instructions of each machine do with numbers. */
HieraEffect hiera_x86_effect(const cs_insn *raw);
HieraEffect hiera_aarch64_effect(const cs_insn *raw);
/* When a branch is taken. */
HieraCondition hiera_x86_condition(const cs_insn *raw);
HieraCondition hiera_aarch64_condition(const cs_insn *raw);

#endif
