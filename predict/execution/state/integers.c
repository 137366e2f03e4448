/* Steps that add, subtract, multiply, divide and exchange integers. See operations.h. */
#include "operations.h"

static gboolean is_same(const HieraStepOperand *a, const HieraStepOperand *b)
{
    return a->kind == HIERA_OPERAND_REGISTER && b->kind == HIERA_OPERAND_REGISTER && a->base == b->base &&
           a->index == b->index;
}

static void keep_carry(HieraFlags *flags, const HieraFlags *before)
{
    gboolean carry = FALSE;
    if (hiera_flags_decide(before, HIERA_IF_BELOW, &carry))
        hiera_flags_give(flags, HIERA_CARRY, carry ? HIERA_CARRY : 0);
    else
        hiera_flags_lose(flags, HIERA_CARRY);
}

/* Execute an integer operation on a and b, and set the flags. */
void hiera_step_calculate(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->a.width;
    HieraKnown a = hiera_state_read(state, &step->a), b = hiera_state_read(state, &step->b);
    HieraKnown result = {a.known && b.known, 0};
    const HieraKnown none = {TRUE, 0};
    const HieraFlags before = state->flags;
    if (is_same(&step->a, &step->b) && (step->kind == HIERA_STEP_XOR || step->kind == HIERA_STEP_SUBTRACT))
        a = b = result = none;
    b.bits = step->b.kind == HIERA_OPERAND_NUMBER ? hiera_cut((guint64)step->b.number, width) : b.bits;
    switch ((HieraStepKind)step->kind) {
    case HIERA_STEP_ADD:
    case HIERA_STEP_INCREMENT:
        result.bits = a.bits + b.bits;
        hiera_set_flags(state, HIERA_FLAGS_SUM, width, a, b);
        break;
    case HIERA_STEP_SUBTRACT:
    case HIERA_STEP_DECREMENT:
    case HIERA_STEP_COMPARE:
        result.bits = a.bits - b.bits;
        hiera_set_flags(state, HIERA_FLAGS_DIFFERENCE, width, a, b);
        break;
    case HIERA_STEP_AND:
    case HIERA_STEP_TEST:
        if ((a.known && a.bits == 0) || (b.known && b.bits == 0))
            result.known = TRUE;
        result.bits = result.known && a.known && b.known ? a.bits & b.bits : 0;
        hiera_set_flags_of(state, width, result);
        break;
    case HIERA_STEP_OR: /* `or` with -1 is -1 even if the other operand is not known; compilers use it as a short `mov`
                           of -1 */
        if ((a.known && a.bits == hiera_cut(~0ull, width)) || (b.known && b.bits == hiera_cut(~0ull, width)))
            result.known = TRUE;
        result.bits = result.known && !(a.known && b.known) ? hiera_cut(~0ull, width) : a.bits | b.bits;
        hiera_set_flags_of(state, width, result);
        break;
    default:
        result.bits = a.bits ^ b.bits;
        hiera_set_flags_of(state, width, result);
        break;
    }
    if (step->kind == HIERA_STEP_INCREMENT || step->kind == HIERA_STEP_DECREMENT)
        keep_carry(&state->flags, &before);
    if (step->to.kind == HIERA_OPERAND_REGISTER && step->to.base >= HIERA_XMM)
        state->flags = before;
    if (step->to.kind != HIERA_OPERAND_NONE)
        hiera_state_write(state, step, &step->to, result);
}

/* Execute adc and sbb. The result of `sbb eax, eax` (-1 or 0) needs only the carry flag: eax may be unknown. */
void hiera_step_carry(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->a.width;
    HieraKnown a = hiera_state_read(state, &step->a), b = hiera_state_read(state, &step->b), result = {FALSE, 0};
    gboolean adds = step->kind == HIERA_STEP_ADD_CARRY, carry = FALSE,
             known = hiera_flags_decide(&state->flags, HIERA_IF_BELOW, &carry);
    if (is_same(&step->a, &step->b) && !adds)
        a = b = (HieraKnown){TRUE, 0};
    b.bits = hiera_cut(b.bits, width);
    result.known = known && a.known && b.known;
    result.bits = hiera_cut(adds ? a.bits + b.bits + (guint64)carry : a.bits - b.bits - (guint64)carry, width);
    hiera_set_flags_of(state, width, result);
    guint64 apart = adds ? ~(a.bits ^ b.bits) : a.bits ^ b.bits;
    hiera_give_if(&state->flags, result.known, HIERA_OVERFLOW, (apart & (a.bits ^ result.bits)) >> (width * 8 - 1) & 1);
    hiera_give_if(&state->flags, result.known, HIERA_CARRY,
                  adds ? result.bits < a.bits || (carry && result.bits == a.bits)
                       : a.bits < b.bits || (carry && a.bits == b.bits));
    hiera_state_write(state, step, &step->to, result);
}

void hiera_step_negate(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = hiera_state_read(state, &step->a);
    hiera_set_flags(state, HIERA_FLAGS_DIFFERENCE, step->a.width, (HieraKnown){TRUE, 0}, value);
    value.bits = (guint64)0 - value.bits;
    hiera_state_write(state, step, &step->to, value);
}

void hiera_step_exchange(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown to = hiera_state_read(state, &step->to), a = hiera_state_read(state, &step->a), sum = to;
    if (step->kind == HIERA_STEP_EXCHANGE_ADD) {
        hiera_set_flags(state, HIERA_FLAGS_SUM, step->to.width, to, a);
        sum.known &= a.known;
        sum.bits += a.bits;
        a = sum;
    }
    if (step->to.kind == HIERA_OPERAND_MEMORY) /* whose address may be in the register */
        hiera_state_write(state, step, &step->to, a);
    hiera_state_write(state, step, &step->a, to);
    if (step->to.kind != HIERA_OPERAND_MEMORY)
        hiera_state_write(state, step, &step->to, a);
}

void hiera_step_exchange_if_same(HieraProcessState *state, const HieraStep *step)
{
    const HieraStepOperand rax = {.kind = HIERA_OPERAND_REGISTER, .base = HIERA_RAX, .width = step->to.width};
    HieraKnown to = hiera_state_read(state, &step->to), a = hiera_state_read(state, &step->a),
               expected = hiera_state_read(state, &rax);
    gboolean known = to.known && expected.known, is_same = known && to.bits == expected.bits;
    hiera_set_flags(state, HIERA_FLAGS_DIFFERENCE, step->to.width, expected, to);
    a.known &= known;
    to.known &= known;
    if (!known || is_same)
        hiera_state_write(state, step, &step->to, a);
    if (!is_same)
        hiera_state_write(state, step, &rax, to);
}

void hiera_step_set_carry(HieraProcessState *state, const HieraStep *step)
{
    gboolean carry = step->condition == 1,
             known = step->condition < 2 || hiera_flags_decide(&state->flags, HIERA_IF_NOT_BELOW, &carry);
    hiera_give_if(&state->flags, known, HIERA_CARRY, carry);
}

/* --- products and quotients: rdx:rax, of single bytes ax --- */

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 WideUnsigned;

static HieraStepOperand half_of_wide(gboolean high, guint8 width)
{
    HieraStepOperand place = {.kind = HIERA_OPERAND_REGISTER, .base = high ? HIERA_RDX : HIERA_RAX, .width = width};
    if (high && width == 1) {
        place.base = HIERA_RAX;
        place.index = 1;
    }
    return place;
}

void hiera_step_multiply_wide(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->a.width;
    const HieraStepOperand low = half_of_wide(FALSE, width), high = half_of_wide(TRUE, width);
    HieraKnown by = hiera_state_read(state, &step->a), a = hiera_state_read(state, &low);
    gboolean is_signed = step->kind == HIERA_STEP_MULTIPLY_WIDE_SIGNED, known = a.known && by.known;
    WideUnsigned product = is_signed
                               ? (WideUnsigned)((Wide)hiera_with_sign(a.bits, width) * hiera_with_sign(by.bits, width))
                               : (WideUnsigned)a.bits * by.bits;
    guint64 part = hiera_cut((guint64)product, width), rest = hiera_cut((guint64)(product >> (width * 8)), width);
    guint64 none = is_signed && hiera_with_sign(part, width) < 0 ? hiera_cut(~0ull, width) : 0;
    hiera_forget_flags(state);
    hiera_give_if(&state->flags, known, HIERA_CARRY | HIERA_OVERFLOW, rest != none);
    hiera_state_write(state, step, &low, (HieraKnown){known, part});
    hiera_state_write(state, step, &high, (HieraKnown){known, rest});
}

void hiera_step_multiply_into_two(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->b.width;
    const HieraStepOperand rdx = {.kind = HIERA_OPERAND_REGISTER, .base = HIERA_RDX, .width = width};
    HieraKnown by = hiera_state_read(state, &step->b), a = hiera_state_read(state, &rdx);
    WideUnsigned product = (WideUnsigned)a.bits * by.bits;
    gboolean known = a.known && by.known;
    hiera_state_write(state, step, &step->a, (HieraKnown){known, hiera_cut((guint64)product, width)});
    hiera_state_write(state, step, &step->to, (HieraKnown){known, hiera_cut((guint64)(product >> (width * 8)), width)});
}

/* Whether a quotient fits: else the processor reports an error. */
static gboolean is_quotient(Wide quotient, guint8 width, gboolean is_signed)
{
    Wide all = (Wide)1 << (width * 8);
    return is_signed ? quotient >= -(all / 2) && quotient < all / 2 : quotient < all;
}

void hiera_step_divide(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->a.width;
    const HieraStepOperand low = half_of_wide(FALSE, width), high = half_of_wide(TRUE, width);
    HieraKnown by = hiera_state_read(state, &step->a), a = hiera_state_read(state, &low),
               more = hiera_state_read(state, &high);
    gboolean is_signed = step->kind == HIERA_STEP_DIVIDE_SIGNED, known = a.known && more.known && by.known;
    WideUnsigned dividend = (WideUnsigned)more.bits << (width * 8) | a.bits;
    guint64 quotient = 0, rest = 0;
    known &= hiera_cut(by.bits, width) != 0 && (is_signed || more.bits < by.bits);
    if (known && is_signed) {
        guint unused = (guint)(sizeof(Wide) * 8) - width * 16u;
        Wide of = (Wide)(dividend << unused) >> unused, divisor = hiera_with_sign(by.bits, width);
        known = of != -of || of == 0; /* the least number has no positive one */
        known = known && is_quotient(of / divisor, width, TRUE);
        quotient = known ? (guint64)(of / divisor) : 0;
        rest = known ? (guint64)(of % divisor) : 0;
    } else if (known) {
        quotient = (guint64)(dividend / by.bits);
        rest = (guint64)(dividend % by.bits);
    }
    hiera_forget_flags(state);
    hiera_state_write(state, step, &low, (HieraKnown){known, hiera_cut(quotient, width)});
    hiera_state_write(state, step, &high, (HieraKnown){known, hiera_cut(rest, width)});
}

void hiera_step_multiply(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->a.width;
    HieraKnown value = hiera_state_read(state, &step->a), by = hiera_state_read(state, &step->b);
    value.known &= by.known;
    gint64 factor = step->b.kind == HIERA_OPERAND_NUMBER ? step->b.number : hiera_with_sign(by.bits, step->b.width);
    Wide product = (Wide)hiera_with_sign(value.bits, width) * factor;
    value.bits = hiera_cut((guint64)product, width);
    hiera_forget_flags(state);
    hiera_give_if(&state->flags, value.known, HIERA_CARRY | HIERA_OVERFLOW,
                  product != hiera_with_sign(value.bits, width));
    hiera_state_write(state, step, &step->to, value);
}

void hiera_step_spread_sign(HieraProcessState *state, const HieraStep *step)
{
    const HieraStepOperand low = half_of_wide(FALSE, step->a.width), high = half_of_wide(TRUE, step->a.width);
    HieraKnown value = hiera_state_read(state, &low);
    value.bits = hiera_with_sign(value.bits, step->a.width) < 0 ? hiera_cut(~0ull, step->a.width) : 0;
    hiera_state_write(state, step, &high, value);
}
