/* Registers, flags and memory of a process. */
#ifndef HIERA_EXECUTION_STATE_H
#define HIERA_EXECUTION_STATE_H

#include "execution/code/step.h"
#include "memory.h"
#include <string.h>

typedef struct {
    gboolean known;
    guint64 bits;
    guint8 n_low; /* of a register that is not known: how many of its low bytes are (1 or 2) */
} HieraKnown;

/* The last comparison or result; the flags follow from it. */
typedef enum {
    HIERA_FLAGS_UNKNOWN,
    HIERA_FLAGS_DIFFERENCE, /* of a and b */
    HIERA_FLAGS_SUM,        /* of a and b */
    HIERA_FLAGS_RESULT,     /* of a logical operation: a */
    HIERA_FLAGS_FLOATS      /* of the doubles a and b */
} HieraFlagsKind;

typedef struct {
    HieraFlagsKind kind;
    guint8 width;
    gboolean no_carry; /* the carry flag is not known: after an increment */
    guint64 a, b;      /* bits; of floats, those of doubles */
} HieraFlags;

/* The last time that something was stored by a step. */
typedef struct {
    guint64 address;
    HieraKnown value;
    guint8 width;
    gboolean has_address; /* the address is known */
} HieraLastStore;

typedef struct {
    HieraKnown registers[HIERA_N_REGISTERS];
    HieraFlags flags;
    HieraKnownMemory *memory;
    HieraLastStore *stores; /* by number of the step */
} HieraProcessState;

/* Whether a condition holds. @return FALSE if that is not known */
gboolean hiera_flags_decide(const HieraFlags *flags, HieraStepCondition condition, gboolean *holds);
/* The value of a place that is read. */
HieraKnown hiera_state_read(HieraProcessState *state, const HieraStepOperand *place);
/* A step writes to a place. */
void hiera_state_write(HieraProcessState *state, const HieraStep *step, const HieraStepOperand *place,
                       HieraKnown value);
/* The address of a place in memory. @return FALSE if it is not known */
gboolean hiera_state_address(const HieraProcessState *state, const HieraStepOperand *place, guint64 *address);

/* The lower bytes of a number; and these as a number with a sign. */
static inline guint64 hiera_cut(guint64 bits, guint width)
{
    return width >= 8 ? bits : bits & ((1ull << width * 8) - 1);
}

static inline gint64 hiera_with_sign(guint64 bits, guint width)
{
    guint shift = width == 0 || width >= 8 ? 0 : 64 - width * 8;
    return (gint64)(bits << shift) >> shift;
}

/* Bits of a double, and the other way round. */
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

#endif
