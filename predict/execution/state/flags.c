/* Tells whether conditions of x86 branches hold. See state.h. */
#include "state.h"
#include <math.h>

static gboolean parity(guint64 bits)
{
    return __builtin_popcount((guint)(bits & 0xff)) % 2 == 0;
}

/* The flags of x86 as truth values. */
typedef struct {
    gboolean carry, zero, sign, overflow, parity;
} Bits;

static Bits bits_of_flags(const HieraFlags *flags)
{
    guint width = flags->width;
    guint64 top = width > 0 ? 1ull << (width * 8 - 1) : 0, result;
    Bits bits = {0};
    if (flags->kind == HIERA_FLAGS_FLOATS) {
        gdouble a = hiera_double_of_bits(flags->a), b = hiera_double_of_bits(flags->b);
        gboolean apart = isnan(a) || isnan(b);
        return (Bits){.carry = apart || a < b, .zero = apart || a == b, .parity = apart};
    }
    switch (flags->kind) {
    case HIERA_FLAGS_DIFFERENCE:
        result = flags->a - flags->b;
        bits.carry = flags->a < flags->b;
        bits.overflow = ((flags->a ^ flags->b) & (flags->a ^ result) & top) != 0;
        break;
    case HIERA_FLAGS_SUM:
        result = flags->a + flags->b;
        bits.carry = hiera_cut(result, width) < flags->a;
        bits.overflow = (~(flags->a ^ flags->b) & (flags->a ^ result) & top) != 0;
        break;
    default:
        result = flags->a;
        break;
    }
    bits.zero = hiera_cut(result, width) == 0;
    bits.sign = (result & top) != 0;
    bits.parity = parity(result);
    return bits;
}

gboolean hiera_flags_decide(const HieraFlags *flags, HieraStepCondition condition, gboolean *holds)
{
    if (flags->kind == HIERA_FLAGS_UNKNOWN || condition == HIERA_IF_UNKNOWN)
        return FALSE;
    Bits bits = bits_of_flags(flags);
    gboolean of_carry = FALSE, result;
    switch ((HieraStepCondition)(condition & ~1u)) {
    case HIERA_IF_OVERFLOW:
        result = bits.overflow;
        break;
    case HIERA_IF_BELOW:
        result = bits.carry;
        of_carry = TRUE;
        break;
    case HIERA_IF_EQUAL:
        result = bits.zero;
        break;
    case HIERA_IF_NOT_ABOVE:
        result = bits.carry || bits.zero;
        of_carry = TRUE;
        break;
    case HIERA_IF_SIGN:
        result = bits.sign;
        break;
    case HIERA_IF_PARITY:
        result = bits.parity;
        break;
    case HIERA_IF_LESS:
        result = bits.sign != bits.overflow;
        break;
    default: /* HIERA_IF_NOT_GREATER; the lowest bit of a condition inverts it */
        result = bits.zero || bits.sign != bits.overflow;
        break;
    }
    *holds = (condition & 1) ? !result : result;
    return !(of_carry && flags->no_carry);
}
