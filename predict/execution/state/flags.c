/* Tells whether conditions of x86 branches hold. See state.h. */
#include "operations.h"
#include <math.h>

static gboolean parity(guint64 bits)
{
    return __builtin_popcount((guint)(bits & 0xff)) % 2 == 0;
}

static guint8 flag(gboolean holds, guint8 which)
{
    return holds ? which : 0;
}

/* The flags as `kind` says. */
static guint8 of_operands(const HieraFlags *flags)
{
    guint width = flags->width;
    guint64 top = width > 0 ? 1ull << (width * 8 - 1) : 0, result = flags->a;
    guint8 bits = 0;
    if (flags->kind == HIERA_FLAGS_FLOATS) {
        gdouble a = hiera_double_of_bits(flags->a), b = hiera_double_of_bits(flags->b);
        gboolean apart = isnan(a) || isnan(b);
        return flag(apart || a < b, HIERA_CARRY) | flag(apart || a == b, HIERA_ZERO) | flag(apart, HIERA_PARITY);
    }
    if (flags->kind == HIERA_FLAGS_DIFFERENCE) {
        result = flags->a - flags->b;
        bits = flag(flags->a < flags->b, HIERA_CARRY) |
               flag(((flags->a ^ flags->b) & (flags->a ^ result) & top) != 0, HIERA_OVERFLOW);
    } else if (flags->kind == HIERA_FLAGS_SUM) {
        result = flags->a + flags->b;
        bits = flag(hiera_cut(result, width) < flags->a, HIERA_CARRY) |
               flag((~(flags->a ^ flags->b) & (flags->a ^ result) & top) != 0, HIERA_OVERFLOW);
    }
    return bits | flag(hiera_cut(result, width) == 0, HIERA_ZERO) | flag((result & top) != 0, HIERA_SIGN) |
           flag(parity(result), HIERA_PARITY);
}

/* The flags that a condition looks at. The lowest bit of a condition inverts it. */
static guint8 needed_by(HieraStepCondition condition)
{
    static const guint8 needed[] = {HIERA_OVERFLOW,
                                    HIERA_CARRY,
                                    HIERA_ZERO,
                                    HIERA_CARRY | HIERA_ZERO,
                                    HIERA_SIGN,
                                    HIERA_PARITY,
                                    HIERA_SIGN | HIERA_OVERFLOW,
                                    HIERA_SIGN | HIERA_OVERFLOW | HIERA_ZERO};
    return condition < HIERA_IF_UNKNOWN ? needed[condition / 2] : HIERA_ALL_FLAGS;
}

gboolean hiera_flags_are_of_operands(const HieraFlags *flags, HieraStepCondition condition)
{
    return (needed_by(condition) & (flags->given | flags->lost)) == 0;
}

void hiera_flags_give(HieraFlags *flags, guint8 which, guint8 values)
{
    flags->given |= which;
    flags->values = (guint8)((flags->values & ~which) | (values & which));
    flags->lost &= (guint8)~which;
}

void hiera_flags_lose(HieraFlags *flags, guint8 which)
{
    flags->given &= (guint8)~which;
    flags->lost |= which;
}

gboolean hiera_flags_decide(const HieraFlags *flags, HieraStepCondition condition, gboolean *holds)
{
    guint8 known = flags->given | (flags->kind == HIERA_FLAGS_UNKNOWN ? 0 : HIERA_ALL_FLAGS & ~flags->lost);
    if (condition == HIERA_IF_UNKNOWN || (needed_by(condition) & ~known) != 0)
        return FALSE;
    guint8 bits = (guint8)((flags->values & flags->given) | (of_operands(flags) & ~flags->given));
    gboolean result, is_less = !(bits & HIERA_SIGN) != !(bits & HIERA_OVERFLOW);
    switch ((HieraStepCondition)(condition & ~1u)) {
    case HIERA_IF_LESS:
        result = is_less;
        break;
    case HIERA_IF_NOT_GREATER:
        result = is_less || (bits & HIERA_ZERO) != 0;
        break;
    default: /* one of the flags that it looks at is set */
        result = (bits & needed_by(condition)) != 0;
        break;
    }
    *holds = (condition & 1) ? !result : result;
    return TRUE;
}

/* --- for steps: operations.h --- */

void hiera_set_flags(HieraProcessState *state, HieraFlagsKind kind, guint8 width, HieraKnown a, HieraKnown b)
{
    state->flags = (HieraFlags){.kind = a.known && b.known ? kind : HIERA_FLAGS_UNKNOWN,
                                .width = width,
                                .a = hiera_cut(a.bits, width),
                                .b = hiera_cut(b.bits, width)};
}

void hiera_set_flags_of(HieraProcessState *state, guint8 width, HieraKnown result)
{
    hiera_set_flags(state, HIERA_FLAGS_RESULT, width, result, (HieraKnown){TRUE, 0});
}

void hiera_give_if(HieraFlags *flags, gboolean known, guint8 which, gboolean set)
{
    if (known)
        hiera_flags_give(flags, which, set ? which : 0);
    else
        hiera_flags_lose(flags, which);
}

void hiera_forget_flags(HieraProcessState *state)
{
    state->flags = (HieraFlags){.kind = HIERA_FLAGS_UNKNOWN};
}
