/* State of a simulated process: registers, flags and memory. */
#pragma once

#include "execution/code/step.h"
#include "memory.h"
#include <string.h>

typedef struct {
    gboolean known;
    guint64 bits;
    guint8 n_low; /* if the register as a whole is not known: how many of its low bytes are (1 or 2) */
} HieraKnown;

/* How the flags are computed: kind of the last comparison or result. */
typedef enum {
    HIERA_FLAGS_UNKNOWN,
    HIERA_FLAGS_DIFFERENCE, /* the flags of a - b */
    HIERA_FLAGS_SUM,        /* the flags of a + b */
    HIERA_FLAGS_RESULT,     /* the flags of a, the result of a logical operation */
    HIERA_FLAGS_FLOATS      /* the flags of comparing the doubles a and b */
} HieraFlagsKind;

/* The flags of x86 that conditions look at, as bits. */
enum { HIERA_CARRY = 1, HIERA_PARITY = 2, HIERA_ZERO = 4, HIERA_SIGN = 8, HIERA_OVERFLOW = 16, HIERA_ALL_FLAGS = 31 };

typedef struct {
    HieraFlagsKind kind;
    guint8 width;
    guint8 given, values; /* flags that are not as `kind` says, since an instruction sets or keeps only some; and what
                             they are */
    guint8 lost;          /* flags that are not known although `kind` would say them; none of `given` */
    guint64 a, b;         /* operands or result, as bits; of floats: the bits of doubles */
} HieraFlags;

/* The last store that a step has made: to which address, and which value. */
typedef struct {
    guint64 address;
    HieraKnown value;
    guint8 width;
    gboolean has_address; /* whether the address is known */
} HieraLastStore;

typedef struct {
    HieraKnown registers[HIERA_N_ALL_REGISTERS];
    HieraFlags flags;
    HieraKnownMemory *memory;
    gboolean has_lost_store; /* whether a step has stored to an address that is not known; whoever looks sets it back */
    HieraLastStore *stores;  /* by HieraStep.number: the last store of each step that may store */
} HieraProcessState;

/* Find whether a condition holds, by the flags. @return FALSE: not known */
gboolean hiera_flags_decide(const HieraFlags *flags, HieraStepCondition condition, gboolean *holds);
/* Whether a condition depends on what the flags were computed from, and on nothing else. */
gboolean hiera_flags_are_of_operands(const HieraFlags *flags, HieraStepCondition condition);
/* Set some flags, or make them unknown; the others stay. */
void hiera_flags_give(HieraFlags *flags, guint8 which, guint8 values);
void hiera_flags_lose(HieraFlags *flags, guint8 which);
/* Return the value of an operand: a register, a number, or memory. */
HieraKnown hiera_state_read(HieraProcessState *state, const HieraStepOperand *place);
/* Write a value to an operand of a step. If the operand is in memory, record the store. */
void hiera_state_write(HieraProcessState *state, const HieraStep *step, const HieraStepOperand *place,
                       HieraKnown value);
/* Find the address of a memory operand. @return FALSE: not known */
gboolean hiera_state_address(const HieraProcessState *state, const HieraStepOperand *place, guint64 *address);

/* Return the lowest `width` bytes of a number; hiera_with_sign: extended with their sign. */
static inline guint64 hiera_cut(guint64 bits, guint width)
{
    return width >= 8 ? bits : bits & ((1ull << width * 8) - 1);
}

static inline gint64 hiera_with_sign(guint64 bits, guint width)
{
    guint shift = width == 0 || width >= 8 ? 0 : 64 - width * 8;
    return (gint64)(bits << shift) >> shift;
}

/* Return the bits of a double; the double of bits. */
static inline guint64 hiera_bits_of_double(gdouble number)
{
    guint64 bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline gdouble hiera_double_of_bits(guint64 bits)
{
    gdouble number;
    memcpy(&number, &bits, sizeof number);
    return number;
}
