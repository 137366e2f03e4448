#include "execute.h"
#include "lanes.h"
#include <math.h>
#include <string.h>

static gboolean is_same(const HieraStepOperand *a, const HieraStepOperand *b)
{
    return a->kind == HIERA_OPERAND_REGISTER && b->kind == HIERA_OPERAND_REGISTER && a->base == b->base;
}

static void set_flags(HieraProcessState *state, HieraFlagsKind kind, guint8 width, HieraKnown a, HieraKnown b)
{
    state->flags = (HieraFlags){.kind = a.known && b.known ? kind : HIERA_FLAGS_UNKNOWN,
                                .width = width,
                                .a = hiera_cut(a.bits, width),
                                .b = hiera_cut(b.bits, width)};
}

/* Execute an integer operation on a and b, and set the flags. */
static void calculate(HieraProcessState *state, const HieraStep *step)
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
        set_flags(state, HIERA_FLAGS_SUM, width, a, b);
        break;
    case HIERA_STEP_SUBTRACT:
    case HIERA_STEP_DECREMENT:
    case HIERA_STEP_COMPARE:
        result.bits = a.bits - b.bits;
        set_flags(state, HIERA_FLAGS_DIFFERENCE, width, a, b);
        break;
    case HIERA_STEP_AND:
    case HIERA_STEP_TEST:
        if ((a.known && a.bits == 0) || (b.known && b.bits == 0))
            result.known = TRUE;
        result.bits = result.known && a.known && b.known ? a.bits & b.bits : 0;
        set_flags(state, HIERA_FLAGS_RESULT, width, result, none);
        break;
    case HIERA_STEP_OR: /* `or` with -1 is -1 even if the other operand is not known; compilers use it as a short `mov`
                           of -1 */
        if ((a.known && a.bits == hiera_cut(~0ull, width)) || (b.known && b.bits == hiera_cut(~0ull, width)))
            result.known = TRUE;
        result.bits = result.known && !(a.known && b.known) ? hiera_cut(~0ull, width) : a.bits | b.bits;
        set_flags(state, HIERA_FLAGS_RESULT, width, result, none);
        break;
    default:
        result.bits = a.bits ^ b.bits;
        set_flags(state, HIERA_FLAGS_RESULT, width, result, none);
        break;
    }
    state->flags.no_carry = step->kind == HIERA_STEP_INCREMENT || step->kind == HIERA_STEP_DECREMENT;
    if (step->to.kind == HIERA_OPERAND_REGISTER && step->to.base >= HIERA_XMM)
        state->flags = before;
    if (step->to.kind != HIERA_OPERAND_NONE)
        hiera_state_write(state, step, &step->to, result);
}

/* Execute adc and sbb. The result of `sbb eax, eax` (-1 or 0) needs only the carry flag: eax may be unknown. */
static void calculate_with_carry(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown a = hiera_state_read(state, &step->a), b = hiera_state_read(state, &step->b), result = {FALSE, 0};
    gboolean carry = FALSE, known = hiera_flags_decide(&state->flags, HIERA_IF_BELOW, &carry);
    guint64 more = b.bits + (guint64)carry;
    if (is_same(&step->a, &step->b) && step->kind == HIERA_STEP_SUBTRACT_CARRY) {
        a = b = (HieraKnown){TRUE, 0};
        more = (guint64)carry;
    }
    result.known = known && a.known && b.known;
    result.bits = step->kind == HIERA_STEP_ADD_CARRY ? a.bits + more : a.bits - more;
    state->flags.kind = HIERA_FLAGS_UNKNOWN;
    hiera_state_write(state, step, &step->to, result);
}

static void shift(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->a.width;
    HieraKnown a = hiera_state_read(state, &step->a), b = hiera_state_read(state, &step->b), result = {FALSE, 0};
    guint by = (guint)(b.bits & (width == 8 ? 63 : 31));
    result.known = a.known && b.known && by < width * 8u;
    if (result.known)
        result.bits = step->kind == HIERA_STEP_LEFT    ? a.bits << by
                      : step->kind == HIERA_STEP_RIGHT ? a.bits >> by
                                                       : (guint64)(hiera_with_sign(a.bits, width) >> by);
    set_flags(state, HIERA_FLAGS_RESULT, width, result, (HieraKnown){TRUE, 0});
    state->flags.no_carry = TRUE;
    hiera_state_write(state, step, &step->to, result);
}

static void shift_in(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->to.width;
    HieraKnown to = hiera_state_read(state, &step->to), from = hiera_state_read(state, &step->a),
               by = hiera_state_read(state, &step->b);
    guint n = (guint)(by.bits & (width == 8 ? 63 : 31)), rest = width * 8u - n;
    to.known &= from.known && by.known && n > 0 && n < width * 8u;
    if (to.known)
        to.bits = step->kind == HIERA_STEP_SHIFT_IN_LEFT ? to.bits << n | from.bits >> rest
                                                         : to.bits >> n | from.bits << rest;
    state->flags.kind = HIERA_FLAGS_UNKNOWN;
    hiera_state_write(state, step, &step->to, to);
}

static void multiply_wide(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->a.width;
    HieraKnown by = hiera_state_read(state, &step->a), *low = &state->registers[HIERA_RAX],
               *high = &state->registers[HIERA_RDX];
    __extension__ typedef __int128 Wide;
    Wide product = step->kind == HIERA_STEP_MULTIPLY_WIDE
                       ? (Wide)hiera_cut(low->bits, width) * (Wide)by.bits
                       : (Wide)hiera_with_sign(low->bits, width) * (Wide)hiera_with_sign(by.bits, width);
    gboolean known = low->known && by.known && width >= 4;
    *low = (HieraKnown){known, hiera_cut((guint64)product, width)};
    *high = (HieraKnown){known, hiera_cut((guint64)(product >> (width * 8)), width)};
    state->flags.kind = HIERA_FLAGS_UNKNOWN;
}

static void divide(HieraProcessState *state, const HieraStep *step)
{
    guint8 width = step->a.width;
    HieraKnown by = hiera_state_read(state, &step->a), *low = &state->registers[HIERA_RAX],
               *high = &state->registers[HIERA_RDX];
    gint64 a = hiera_with_sign(low->bits, width), b = hiera_with_sign(by.bits, width);
    guint64 divisor = hiera_cut(by.bits, width);
    gboolean is_signed = step->kind == HIERA_STEP_DIVIDE_SIGNED, known = low->known && high->known && by.known;
    /* Make the quotient unknown if it may not fit: if the dividend's upper half is neither 0 nor the sign of its lower
     * half. */
    known &= divisor != 0 && hiera_cut(high->bits, width) == (is_signed && a < 0 ? hiera_cut(~0ull, width) : 0);
    known &= width >= 4 && !(is_signed && b == -1 && a == hiera_with_sign(1ull << (width * 8 - 1), width));
    low->known = high->known = known;
    low->n_low = high->n_low = 0;
    state->flags.kind = HIERA_FLAGS_UNKNOWN;
    if (!known)
        return;
    guint64 rest = is_signed ? (guint64)(a % b) : hiera_cut(low->bits, width) % divisor;
    low->bits = hiera_cut(is_signed ? (guint64)(a / b) : hiera_cut(low->bits, width) / divisor, width);
    high->bits = hiera_cut(rest, width);
}

/* Convert the bits of a float (width 4) or double (width 8) to a double; bits_of() converts back. */
static gdouble float_of(guint64 bits, guint width)
{
    guint32 half = (guint32)bits;
    gfloat number;
    memcpy(&number, &half, sizeof number);
    return width == 4 ? (gdouble)number : hiera_double_of_bits(bits);
}

static guint64 bits_of(gdouble number, guint width)
{
    gfloat half = (gfloat)number;
    guint32 bits;
    memcpy(&bits, &half, sizeof bits);
    return width == 4 ? bits : hiera_bits_of_double(number);
}

static void calculate_floats(HieraProcessState *state, const HieraStep *step)
{
    guint width = step->a.width;
    HieraKnown x = hiera_state_read(state, &step->a), y = hiera_state_read(state, &step->b);
    gdouble a = float_of(x.bits, width), b = float_of(y.bits, width), result = 0;
    gboolean known = x.known && (y.known || step->b.kind == HIERA_OPERAND_NONE);
    switch ((HieraStepKind)step->kind) {
    case HIERA_STEP_FLOAT_ADD:
        result = a + b;
        break;
    case HIERA_STEP_FLOAT_SUBTRACT:
        result = a - b;
        break;
    case HIERA_STEP_FLOAT_MULTIPLY:
        result = a * b;
        break;
    case HIERA_STEP_FLOAT_DIVIDE:
        result = a / b;
        break;
    case HIERA_STEP_FLOAT_LEAST:
        result = a < b ? a : b;
        break;
    case HIERA_STEP_FLOAT_MOST:
        result = a > b ? a : b;
        break;
    case HIERA_STEP_FLOAT_ROOT:
        result = sqrt(a);
        break;
    case HIERA_STEP_FLOAT_RESIZE:
        result = a;
        break;
    case HIERA_STEP_TO_FLOAT:
        result = (gdouble)hiera_with_sign(x.bits, width);
        break;
    case HIERA_STEP_FLOAT_COMPARE:
        state->flags = (HieraFlags){.kind = known ? HIERA_FLAGS_FLOATS : HIERA_FLAGS_UNKNOWN,
                                    .a = hiera_bits_of_double(a),
                                    .b = hiera_bits_of_double(b)};
        return;
    default: /* HIERA_STEP_FROM_FLOAT */
        known &= fabs(a) < (step->to.width == 8 ? 9e18 : 2147483647.0);
        hiera_state_write(state, step, &step->to, (HieraKnown){known, known ? (guint64)(gint64)a : 0});
        return;
    }
    hiera_state_write(state, step, &step->to, (HieraKnown){known, bits_of(result, step->to.width)});
}

static gboolean is_in_order(HieraFloatOrder order, gdouble a, gdouble b)
{
    switch (order) {
    case HIERA_FLOAT_EQUAL:
        return a == b;
    case HIERA_FLOAT_LESS:
        return a < b;
    case HIERA_FLOAT_NOT_GREATER:
        return a <= b;
    case HIERA_FLOAT_UNORDERED:
        return isnan(a) || isnan(b);
    case HIERA_FLOAT_NOT_EQUAL:
        return a != b;
    case HIERA_FLOAT_NOT_LESS:
        return !(a < b);
    case HIERA_FLOAT_GREATER:
        return !(a <= b);
    default:
        return !isnan(a) && !isnan(b);
    }
}

static void make_mask(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown x = hiera_state_read(state, &step->a), y = hiera_state_read(state, &step->b);
    gboolean holds =
        is_in_order((HieraFloatOrder)step->condition, float_of(x.bits, step->a.width), float_of(y.bits, step->a.width));
    hiera_state_write(state, step, &step->to, (HieraKnown){x.known && y.known, holds ? ~0ull : 0});
}

static void push(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = hiera_state_read(state, &step->a), *top = &state->registers[HIERA_RSP];
    const HieraStepOperand to = {
        .kind = HIERA_OPERAND_MEMORY, .base = HIERA_RSP, .index = HIERA_NO_REGISTER, .width = 8};
    top->bits -= 8;
    if (step->a.kind == HIERA_OPERAND_NUMBER)
        value.bits = (guint64)step->a.number;
    hiera_state_write(state, step, &to, value);
}

static void pop(HieraProcessState *state, const HieraStep *step, const HieraStepOperand *to)
{
    const HieraStepOperand from = {
        .kind = HIERA_OPERAND_MEMORY, .base = HIERA_RSP, .index = HIERA_NO_REGISTER, .width = 8};
    HieraKnown value = hiera_state_read(state, &from);
    state->registers[HIERA_RSP].bits += 8;
    hiera_state_write(state, step, to, value);
}

static void forget(HieraProcessState *state, const HieraStep *step)
{
    hiera_state_write(state, step, &step->to, (HieraKnown){FALSE, 0});
}

static void forget_flags(HieraProcessState *state, const HieraStep *step)
{
    (void)step;
    state->flags.kind = HIERA_FLAGS_UNKNOWN;
}

static void move(HieraProcessState *state, const HieraStep *step)
{
    hiera_state_write(state, step, &step->to, hiera_state_read(state, &step->a));
}

static void move_signed(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = hiera_state_read(state, &step->a);
    value.bits = (guint64)hiera_with_sign(value.bits, step->a.width);
    hiera_state_write(state, step, &step->to, value);
}

static void take_address(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = {FALSE, 0};
    value.known = step->a.kind == HIERA_OPERAND_MEMORY && hiera_state_address(state, &step->a, &value.bits);
    hiera_state_write(state, step, &step->to, value);
}

static void negate(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = hiera_state_read(state, &step->a);
    set_flags(state, HIERA_FLAGS_DIFFERENCE, step->a.width, (HieraKnown){TRUE, 0}, value);
    value.bits = (guint64)0 - value.bits;
    hiera_state_write(state, step, &step->to, value);
}

static void invert(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = hiera_state_read(state, &step->a);
    value.bits = ~value.bits;
    hiera_state_write(state, step, &step->to, value);
}

static void multiply(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = hiera_state_read(state, &step->a), by = hiera_state_read(state, &step->b);
    value.known &= by.known;
    by.bits = step->b.kind == HIERA_OPERAND_NUMBER ? (guint64)step->b.number
                                                   : (guint64)hiera_with_sign(by.bits, step->b.width);
    value.bits = (guint64)hiera_with_sign(value.bits, step->a.width) * by.bits;
    state->flags.kind = HIERA_FLAGS_UNKNOWN;
    hiera_state_write(state, step, &step->to, value);
}

static void spread_sign(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown *high = &state->registers[HIERA_RDX];
    *high = state->registers[HIERA_RAX];
    high->bits = hiera_with_sign(high->bits, step->a.width) < 0 ? hiera_cut(~0ull, step->a.width) : 0;
}

static void set_if(HieraProcessState *state, const HieraStep *step)
{
    gboolean holds = FALSE, known = hiera_flags_decide(&state->flags, step->condition, &holds);
    hiera_state_write(state, step, &step->to, (HieraKnown){known, (guint64)holds});
}

static void move_if(HieraProcessState *state, const HieraStep *step)
{
    gboolean holds = FALSE, known = hiera_flags_decide(&state->flags, step->condition, &holds);
    if (!known || holds) {
        HieraKnown value = hiera_state_read(state, &step->a);
        value.known &= known;
        hiera_state_write(state, step, &step->to, value);
    } else if (step->to.width == 4) { /* cmov: even if nothing is moved, the upper 4 bytes of the register become 0 */
        hiera_state_write(state, step, &step->to, hiera_state_read(state, &step->to));
    }
}

static void convert_both(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = hiera_state_read(state, &step->a), *low = &state->registers[step->to.base],
               *high = low + HIERA_XMM_HIGH - HIERA_XMM;
    *high = (HieraKnown){value.known, hiera_bits_of_double((gdouble)(gint32)(value.bits >> 32))};
    *low = (HieraKnown){value.known, hiera_bits_of_double((gdouble)(gint32)value.bits)};
}

static void pop_to(HieraProcessState *state, const HieraStep *step)
{
    pop(state, step, &step->to);
}

enum { LONGEST_FILL = 16 << 20 };

/* Get the number of bytes that a string instruction stores, and advance rcx, rdi, rsi. @return FALSE: not known */
static gboolean take_string(HieraProcessState *state, const HieraStep *step, guint64 *n)
{
    HieraKnown *count = &state->registers[HIERA_RCX], *to = &state->registers[HIERA_RDI],
               *from = &state->registers[HIERA_RSI];
    gboolean known = !step->condition || count->known;
    *n = (step->condition ? count->bits : 1) * step->a.width;
    if (step->condition)
        *count = (HieraKnown){TRUE, 0};
    to->bits += *n;
    from->bits += step->kind == HIERA_STEP_COPY ? *n : 0;
    known = known && to->known;
    to->known = known;
    to->n_low = from->n_low = 0;
    from->known = from->known && (known || step->kind == HIERA_STEP_FILL);
    return known;
}

static void fill(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = state->registers[HIERA_RAX];
    guint64 to = state->registers[HIERA_RDI].bits, n;
    if (!take_string(state, step, &n))
        return;
    if (!value.known || n > LONGEST_FILL) {
        hiera_known_memory_forget(state->memory, to, n);
        return;
    }
    for (guint64 i = 0; i < n; i += step->a.width)
        hiera_known_memory_write(state->memory, to + i, step->a.width, TRUE, value.bits);
}

static void copy(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown from = state->registers[HIERA_RSI];
    guint64 to = state->registers[HIERA_RDI].bits, n;
    if (!take_string(state, step, &n))
        return;
    HieraKnownBytes *bytes = from.known ? hiera_known_memory_copy(state->memory, from.bits, n) : NULL;
    hiera_known_memory_paste(state->memory, to, n, bytes);
    hiera_bytes_free(bytes);
}

static void leave(HieraProcessState *state, const HieraStep *step)
{
    state->registers[HIERA_RSP] = state->registers[HIERA_RBP];
    pop(state, step, &(HieraStepOperand){.kind = HIERA_OPERAND_REGISTER, .base = HIERA_RBP, .width = 8});
}

static void (*const execute[])(HieraProcessState *state, const HieraStep *step) = {
    [HIERA_STEP_FORGET] = forget,
    [HIERA_STEP_FORGET_FLAGS] = forget_flags,
    [HIERA_STEP_MOVE] = move,
    [HIERA_STEP_MOVE_SIGNED] = move_signed,
    [HIERA_STEP_ADDRESS] = take_address,
    [HIERA_STEP_ADD] = calculate,
    [HIERA_STEP_SUBTRACT] = calculate,
    [HIERA_STEP_ADD_CARRY] = calculate_with_carry,
    [HIERA_STEP_SUBTRACT_CARRY] = calculate_with_carry,
    [HIERA_STEP_AND] = calculate,
    [HIERA_STEP_OR] = calculate,
    [HIERA_STEP_XOR] = calculate,
    [HIERA_STEP_COMPARE] = calculate,
    [HIERA_STEP_TEST] = calculate,
    [HIERA_STEP_INCREMENT] = calculate,
    [HIERA_STEP_DECREMENT] = calculate,
    [HIERA_STEP_NEGATE] = negate,
    [HIERA_STEP_NOT] = invert,
    [HIERA_STEP_LEFT] = shift,
    [HIERA_STEP_RIGHT] = shift,
    [HIERA_STEP_RIGHT_SIGNED] = shift,
    [HIERA_STEP_SHIFT_IN_LEFT] = shift_in,
    [HIERA_STEP_SHIFT_IN_RIGHT] = shift_in,
    [HIERA_STEP_MULTIPLY] = multiply,
    [HIERA_STEP_MULTIPLY_WIDE] = multiply_wide,
    [HIERA_STEP_MULTIPLY_WIDE_SIGNED] = multiply_wide,
    [HIERA_STEP_DIVIDE] = divide,
    [HIERA_STEP_DIVIDE_SIGNED] = divide,
    [HIERA_STEP_SPREAD_SIGN] = spread_sign,
    [HIERA_STEP_SET_IF] = set_if,
    [HIERA_STEP_MOVE_IF] = move_if,
    [HIERA_STEP_PUSH] = push,
    [HIERA_STEP_POP] = pop_to,
    [HIERA_STEP_LEAVE] = leave,
    [HIERA_STEP_FILL] = fill,
    [HIERA_STEP_COPY] = copy,
    [HIERA_STEP_FLOAT_ADD] = calculate_floats,
    [HIERA_STEP_FLOAT_SUBTRACT] = calculate_floats,
    [HIERA_STEP_FLOAT_MULTIPLY] = calculate_floats,
    [HIERA_STEP_FLOAT_DIVIDE] = calculate_floats,
    [HIERA_STEP_FLOAT_LEAST] = calculate_floats,
    [HIERA_STEP_FLOAT_MOST] = calculate_floats,
    [HIERA_STEP_FLOAT_ROOT] = calculate_floats,
    [HIERA_STEP_FLOAT_COMPARE] = calculate_floats,
    [HIERA_STEP_FLOAT_MASK] = make_mask,
    [HIERA_STEP_TO_FLOAT] = calculate_floats,
    [HIERA_STEP_FROM_FLOAT] = calculate_floats,
    [HIERA_STEP_FLOAT_RESIZE] = calculate_floats,
    [HIERA_STEP_TO_FLOATS] = convert_both,
    [HIERA_STEP_LANES] = hiera_lanes_execute,
};

void hiera_state_execute(HieraProcessState *state, const HieraStep *steps, guint n)
{
    for (guint i = 0; i < n; i++)
        execute[steps[i].kind](state, &steps[i]);
}
