/* Steps that shift, rotate, count and find bits. See operations.h. */
#include "operations.h"

/* By how many bits a shift shifts. If it is not known whether it is 0, flags and result are not known: else neither
 * changes. @return FALSE: nothing is left to do */
static gboolean take_count(HieraProcessState *state, const HieraStep *step, const HieraStepOperand *value,
                           const HieraStepOperand *count, guint *n)
{
    HieraKnown by = hiera_state_read(state, count);
    *n = (guint)(by.bits & (value->width == 8 ? 63 : 31));
    if (by.known && *n > 0)
        return TRUE;
    HieraKnown same = hiera_state_read(state, value);
    same.known &= by.known;
    if (!by.known && !step->condition)
        hiera_forget_flags(state);
    hiera_state_write(state, step, &step->to, same);
    return FALSE;
}

void hiera_step_shift(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->a.width;
    HieraKnown a = hiera_state_read(state, &step->a), result = a;
    guint bits = width * 8u, by;
    if (!take_count(state, step, &step->a, &step->b, &by))
        return;
    gint64 with_sign = hiera_with_sign(a.bits, width);
    guint64 out;
    gboolean overflow = FALSE, is_left = step->kind == HIERA_STEP_LEFT;
    if (is_left) {
        result.bits = hiera_cut(a.bits << by, width);
        out = by <= bits ? a.bits >> (bits - by) : 0;
        overflow = (result.bits >> (bits - 1) & 1) != (out & 1);
    } else if (step->kind == HIERA_STEP_RIGHT) {
        result.bits = a.bits >> by;
        out = a.bits >> (by - 1);
        overflow = (a.bits >> (bits - 1) & 1) != 0;
    } else {
        result.bits = hiera_cut((guint64)(with_sign >> by), width);
        out = (guint64)(with_sign >> (by - 1));
    }
    if (!step->condition) {
        hiera_set_flags_of(state, width, result);
        hiera_give_if(&state->flags, a.known && by < bits, HIERA_CARRY, out & 1);
        hiera_give_if(&state->flags, a.known && by == 1, HIERA_OVERFLOW, overflow);
    }
    hiera_state_write(state, step, &step->to, result);
}

void hiera_step_rotate(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->a.width;
    HieraKnown a = hiera_state_read(state, &step->a), result = a;
    guint bits = width * 8u, by;
    if (!take_count(state, step, &step->a, &step->b, &by))
        return;
    gboolean is_left = step->kind == HIERA_STEP_ROTATE_LEFT;
    guint left = is_left ? by % bits : (bits - by % bits) % bits;
    if (left > 0)
        result.bits = hiera_cut(a.bits << left | a.bits >> (bits - left), width);
    gboolean top = result.bits >> (bits - 1) & 1, next = result.bits >> (bits - 2) & 1;
    gboolean carry = is_left ? (result.bits & 1) != 0 : top;
    if (!step->condition) {
        hiera_give_if(&state->flags, a.known, HIERA_CARRY, carry);
        hiera_give_if(&state->flags, a.known && by == 1, HIERA_OVERFLOW, top != (is_left ? carry : next));
    }
    hiera_state_write(state, step, &step->to, result);
}

void hiera_step_shift_in(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->to.width;
    HieraKnown to = hiera_state_read(state, &step->to), from = hiera_state_read(state, &step->a), result = to;
    guint bits = width * 8u, by;
    if (!take_count(state, step, &step->to, &step->b, &by))
        return;
    gboolean is_left = step->kind == HIERA_STEP_SHIFT_IN_LEFT;
    result.known &= from.known && by < bits;
    if (result.known)
        result.bits = hiera_cut(
            is_left ? to.bits << by | from.bits >> (bits - by) : to.bits >> by | from.bits << (bits - by), width);
    hiera_set_flags_of(state, width, result);
    hiera_give_if(&state->flags, result.known, HIERA_CARRY,
                  (is_left ? to.bits >> (bits - by) : to.bits >> (by - 1)) & 1);
    hiera_flags_lose(&state->flags, HIERA_OVERFLOW);
    hiera_state_write(state, step, &step->to, result);
}

/* --- bits --- */

static guint64 spread_bits(guint64 bits, guint64 mask, gboolean deposits)
{
    guint64 result = 0;
    for (guint k = 0; mask != 0; mask &= mask - 1, k++) {
        guint at = (guint)__builtin_ctzll(mask);
        result |= deposits ? (bits >> k & 1) << at : (bits >> at & 1) << k;
    }
    return result;
}

static guint64 swap_bytes(guint64 bits, guint width)
{
    return __builtin_bswap64(bits) >> (64 - width * 8);
}

static guint64 with_bit(guint64 bits, guint64 bit, HieraBits what)
{
    return what == HIERA_BITS_SET ? bits | bit : what == HIERA_BITS_CLEAR ? bits & ~bit : bits ^ bit;
}

/* bt and the like. Only the carry flag is defined; the zero flag stays. */
static void test_bit(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown a = hiera_state_read(state, &step->a), b = hiera_state_read(state, &step->b);
    guint64 bit = 1ull << (b.bits % (step->a.width * 8u));
    a.known &= b.known;
    hiera_flags_lose(&state->flags, HIERA_OVERFLOW | HIERA_SIGN | HIERA_PARITY);
    hiera_give_if(&state->flags, a.known, HIERA_CARRY, (a.bits & bit) != 0);
    a.bits = with_bit(a.bits, bit, (HieraBits)step->condition);
    if (step->condition != HIERA_BITS_TEST)
        hiera_state_write(state, step, &step->to, a);
}

/* Instructions that look for bits. @param zero  receives whether the zero flag becomes set */
static guint64 find_bit(HieraBits what, guint64 a, guint bits, gboolean *zero)
{
    guint64 below = a ? (guint)__builtin_ctzll(a) : bits, above = a ? (guint)__builtin_clzll(a) - (64 - bits) : bits;
    guint64 result = what == HIERA_BITS_ABOVE ? above : what == HIERA_BITS_LAST ? bits - 1 - above : below;
    if (what == HIERA_BITS_COUNT)
        result = (guint)__builtin_popcountll(a);
    *zero = what == HIERA_BITS_BELOW || what == HIERA_BITS_ABOVE ? result == 0 : a == 0;
    return result;
}

static void look_for_bits(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown a = hiera_state_read(state, &step->a), result = a;
    gboolean zero, is_count = step->condition == HIERA_BITS_COUNT,
                   is_old = step->condition == HIERA_BITS_FIRST || step->condition == HIERA_BITS_LAST;
    result.bits = find_bit((HieraBits)step->condition, a.bits, step->a.width * 8u, &zero);
    result.known &= !is_old || a.bits != 0; /* of 0, bsf and bsr have no result */
    hiera_forget_flags(state);
    hiera_give_if(&state->flags, a.known, HIERA_ZERO, zero);
    if (!is_old)
        hiera_give_if(&state->flags, a.known, HIERA_CARRY, a.bits == 0 && !is_count);
    if (is_count)
        hiera_give_if(&state->flags, a.known, HIERA_OVERFLOW | HIERA_SIGN | HIERA_PARITY, FALSE);
    hiera_state_write(state, step, &step->to, result);
}

static guint64 low_ones(guint64 n)
{
    return n >= 64 ? ~0ull : (1ull << n) - 1;
}

/* Instructions of BMI. @param carry  receives the carry flag */
static guint64 cut_bits(HieraBits what, guint64 a, guint64 b, guint bits, gboolean *carry)
{
    *carry = FALSE;
    switch (what) {
    case HIERA_BITS_AND_NOT:
        return ~a & b;
    case HIERA_BITS_WITHOUT_LOWEST:
        *carry = a == 0;
        return a & (a - 1);
    case HIERA_BITS_LOWEST:
        *carry = a != 0;
        return a & (0 - a);
    case HIERA_BITS_UP_TO_LOWEST:
        *carry = a == 0;
        return a ^ (a - 1);
    case HIERA_BITS_FIELD:
        return (b & 0xff) >= bits ? 0 : a >> (b & 0xff) & low_ones(b >> 8 & 0xff);
    default: /* HIERA_BITS_WITHOUT_HIGH */
        *carry = (b & 0xff) >= bits;
        return a & low_ones(b & 0xff);
    }
}

void hiera_step_bits(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown a = hiera_state_read(state, &step->a), b = {TRUE, 0}, result = a;
    HieraBits what = (HieraBits)step->condition;
    gboolean carry;
    if (what <= HIERA_BITS_INVERT) {
        test_bit(state, step);
        return;
    }
    if (what <= HIERA_BITS_COUNT) {
        look_for_bits(state, step);
        return;
    }
    if (step->b.kind != HIERA_OPERAND_NONE)
        b = hiera_state_read(state, &step->b);
    result.known &= b.known;
    if (what == HIERA_BITS_SWAP) {
        result.bits = swap_bytes(a.bits, step->a.width);
    } else if (what <= HIERA_BITS_GATHER) {
        result.bits = spread_bits(a.bits, b.bits, what == HIERA_BITS_DEPOSIT);
    } else {
        result.bits = hiera_cut(cut_bits(what, a.bits, b.bits, step->a.width * 8u, &carry), step->a.width);
        hiera_set_flags_of(state, step->a.width, result);
        hiera_give_if(&state->flags, result.known, HIERA_CARRY, carry);
        hiera_flags_lose(&state->flags, what == HIERA_BITS_FIELD ? HIERA_PARITY | HIERA_SIGN : HIERA_PARITY);
    }
    hiera_state_write(state, step, &step->to, result);
}
