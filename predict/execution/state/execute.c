#include "execute.h"
#include "lanes.h"
#include "operations.h"

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
    hiera_forget_flags(state);
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

static void invert(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = hiera_state_read(state, &step->a);
    value.bits = ~value.bits;
    hiera_state_write(state, step, &step->to, value);
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
    state->has_lost_store |= !known;
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

static void clear_upper(HieraProcessState *state, const HieraStep *step)
{
    gboolean is_one = step->to.kind == HIERA_OPERAND_REGISTER;
    guint first = is_one ? step->to.base - HIERA_XMM : 0, n = is_one ? 1 : 16;
    for (guint i = first; i < first + n; i++)
        state->registers[HIERA_YMM + i] = state->registers[HIERA_YMM + HIERA_XMM_HIGH - HIERA_XMM + i] =
            (HieraKnown){TRUE, 0, 0};
}

static void lose(HieraProcessState *state, const HieraStep *step)
{
    (void)step;
    state->has_lost_store = TRUE;
}

static void forget_vectors(HieraProcessState *state, const HieraStep *step)
{
    (void)step;
    for (guint i = HIERA_XMM; i < HIERA_N_ALL_REGISTERS; i++)
        state->registers[i] = (HieraKnown){FALSE, 0, 0};
}

static void (*const execute[])(HieraProcessState *state, const HieraStep *step) = {
    [HIERA_STEP_FORGET] = forget,
    [HIERA_STEP_FORGET_FLAGS] = forget_flags,
    [HIERA_STEP_MOVE] = move,
    [HIERA_STEP_MOVE_SIGNED] = move_signed,
    [HIERA_STEP_ADDRESS] = take_address,
    [HIERA_STEP_ADD] = hiera_step_calculate,
    [HIERA_STEP_SUBTRACT] = hiera_step_calculate,
    [HIERA_STEP_ADD_CARRY] = hiera_step_carry,
    [HIERA_STEP_SUBTRACT_CARRY] = hiera_step_carry,
    [HIERA_STEP_AND] = hiera_step_calculate,
    [HIERA_STEP_OR] = hiera_step_calculate,
    [HIERA_STEP_XOR] = hiera_step_calculate,
    [HIERA_STEP_COMPARE] = hiera_step_calculate,
    [HIERA_STEP_TEST] = hiera_step_calculate,
    [HIERA_STEP_INCREMENT] = hiera_step_calculate,
    [HIERA_STEP_DECREMENT] = hiera_step_calculate,
    [HIERA_STEP_NEGATE] = hiera_step_negate,
    [HIERA_STEP_NOT] = invert,
    [HIERA_STEP_LEFT] = hiera_step_shift,
    [HIERA_STEP_RIGHT] = hiera_step_shift,
    [HIERA_STEP_RIGHT_SIGNED] = hiera_step_shift,
    [HIERA_STEP_ROTATE_LEFT] = hiera_step_rotate,
    [HIERA_STEP_ROTATE_RIGHT] = hiera_step_rotate,
    [HIERA_STEP_SHIFT_IN_LEFT] = hiera_step_shift_in,
    [HIERA_STEP_SHIFT_IN_RIGHT] = hiera_step_shift_in,
    [HIERA_STEP_MULTIPLY] = hiera_step_multiply,
    [HIERA_STEP_MULTIPLY_WIDE] = hiera_step_multiply_wide,
    [HIERA_STEP_MULTIPLY_WIDE_SIGNED] = hiera_step_multiply_wide,
    [HIERA_STEP_MULTIPLY_INTO_TWO] = hiera_step_multiply_into_two,
    [HIERA_STEP_DIVIDE] = hiera_step_divide,
    [HIERA_STEP_DIVIDE_SIGNED] = hiera_step_divide,
    [HIERA_STEP_SPREAD_SIGN] = hiera_step_spread_sign,
    [HIERA_STEP_SET_IF] = set_if,
    [HIERA_STEP_MOVE_IF] = move_if,
    [HIERA_STEP_BITS] = hiera_step_bits,
    [HIERA_STEP_EXCHANGE] = hiera_step_exchange,
    [HIERA_STEP_EXCHANGE_ADD] = hiera_step_exchange,
    [HIERA_STEP_EXCHANGE_IF_SAME] = hiera_step_exchange_if_same,
    [HIERA_STEP_SET_CARRY] = hiera_step_set_carry,
    [HIERA_STEP_PUSH] = push,
    [HIERA_STEP_POP] = pop_to,
    [HIERA_STEP_LEAVE] = leave,
    [HIERA_STEP_FILL] = fill,
    [HIERA_STEP_COPY] = copy,
    [HIERA_STEP_FLOAT_ADD] = hiera_step_float,
    [HIERA_STEP_FLOAT_SUBTRACT] = hiera_step_float,
    [HIERA_STEP_FLOAT_MULTIPLY] = hiera_step_float,
    [HIERA_STEP_FLOAT_DIVIDE] = hiera_step_float,
    [HIERA_STEP_FLOAT_LEAST] = hiera_step_float,
    [HIERA_STEP_FLOAT_MOST] = hiera_step_float,
    [HIERA_STEP_FLOAT_ROOT] = hiera_step_float,
    [HIERA_STEP_FLOAT_COMPARE] = hiera_step_float,
    [HIERA_STEP_FLOAT_MASK] = hiera_step_float_mask,
    [HIERA_STEP_TO_FLOAT] = hiera_step_float,
    [HIERA_STEP_FROM_FLOAT] = hiera_step_float,
    [HIERA_STEP_FLOAT_RESIZE] = hiera_step_float,
    [HIERA_STEP_FLOAT_MOVE] = hiera_step_float_move,
    [HIERA_STEP_TO_FLOATS] = hiera_step_to_floats,
    [HIERA_STEP_LOSE] = lose,
    [HIERA_STEP_FORGET_VECTORS] = forget_vectors,
    [HIERA_STEP_CLEAR_UPPER] = clear_upper,
    [HIERA_STEP_LANES] = hiera_lanes_execute,
};

void hiera_state_execute(HieraProcessState *state, const HieraStep *steps, guint n)
{
    for (guint i = 0; i < n; i++)
        execute[steps[i].kind](state, &steps[i]);
}
