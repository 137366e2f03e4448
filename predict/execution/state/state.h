/* Registers, flags and memory of a process. */
#pragma once

#include "execution/code/step.h"
#include "memory.h"
#include <string.h>

typedef struct {
    gboolean known;
    guint64 bits;
    guint8 n_low; /* of an unknown register: number of low bytes that are known (1 or 2) */
} HieraKnown;

/* The last comparison or result, from which the flags follow. */
typedef enum {
    HIERA_FLAGS_UNKNOWN,
    HIERA_FLAGS_DIFFERENCE, /* difference of a and b */
    HIERA_FLAGS_SUM,        /* sum of a and b */
    HIERA_FLAGS_RESULT,     /* result a of a logical operation */
    HIERA_FLAGS_FLOATS      /* comparison of the doubles a and b */
} HieraFlagsKind;

typedef struct {
    HieraFlagsKind kind;
    guint8 width;
    gboolean no_carry; /* the carry flag is not known, after an increment */
    guint64 a, b;      /* bits; for floats, those of doubles */
} HieraFlags;

/* The last store of a step. */
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
    HieraLastStore *stores; /* by number of the step: its last store */
} HieraProcessState;

/* Find whether a condition holds. @return FALSE if that is not known */
gboolean hiera_flags_decide(const HieraFlags *flags, HieraStepCondition condition, gboolean *holds);
/* Return the value at a place. */
HieraKnown hiera_state_read(HieraProcessState *state, const HieraStepOperand *place);
/* Write a value to a place for a step. */
void hiera_state_write(HieraProcessState *state, const HieraStep *step, const HieraStepOperand *place,
                       HieraKnown value);
/* Find the address of a place in memory. @return FALSE if it is not known */
gboolean hiera_state_address(const HieraProcessState *state, const HieraStepOperand *place, guint64 *address);

/* The lower bytes of a number; and these, sign-extended. */
static inline guint64 hiera_cut(guint64 bits, guint width)
{
    return width >= 8 ? bits : bits & ((1ull << width * 8) - 1);
}

static inline gint64 hiera_with_sign(guint64 bits, guint width)
{
    guint shift = width == 0 || width >= 8 ? 0 : 64 - width * 8;
    return (gint64)(bits << shift) >> shift;
}

/* Convert a double to its bits, and back. */
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
