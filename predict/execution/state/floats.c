/* Steps with floating-point numbers. See operations.h. */
#include "operations.h"
#include <math.h>
#include <string.h>

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

/* Write the lowest lane of a vector register. @param rest  the register that has the other lanes */
static void write_lane(HieraProcessState *state, const HieraStep *step, const HieraStepOperand *rest, HieraKnown value)
{
    if (!step->lane || step->to.kind != HIERA_OPERAND_REGISTER || rest->kind != HIERA_OPERAND_REGISTER) {
        hiera_state_write(state, step, &step->to, value);
        return;
    }
    HieraKnown *to = &state->registers[step->to.base], low = state->registers[rest->base];
    guint64 mask = hiera_cut(~0ull, step->to.width);
    to[HIERA_XMM_HIGH - HIERA_XMM] = state->registers[rest->base + HIERA_XMM_HIGH - HIERA_XMM];
    *to = (HieraKnown){.known = value.known && (low.known || step->to.width == 8),
                       .bits = (low.bits & ~mask) | (value.bits & mask)};
    to->n_low = value.known && !to->known ? step->to.width : 0;
}

void hiera_step_float(HieraProcessState *state, const HieraStep *step)
{
    guint width = step->a.width;
    HieraKnown x = hiera_state_read(state, &step->a), y = hiera_state_read(state, &step->b);
    gdouble a = float_of(x.bits, width), b = float_of(y.bits, width), result = 0;
    gboolean is_of_one = step->kind == HIERA_STEP_FLOAT_ROOT || step->kind >= HIERA_STEP_TO_FLOAT;
    gboolean known = x.known && (y.known || is_of_one);
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
    case HIERA_STEP_FLOAT_LEAST: /* one of the operands, as it is */
    case HIERA_STEP_FLOAT_MOST:
        x.bits = (step->kind == HIERA_STEP_FLOAT_LEAST ? a < b : a > b) ? x.bits : y.bits;
        write_lane(state, step, &step->a, (HieraKnown){.known = known, .bits = x.bits});
        return;
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
    write_lane(state, step, is_of_one ? &step->b : &step->a, (HieraKnown){known, bits_of(result, step->to.width)});
}

void hiera_step_float_move(HieraProcessState *state, const HieraStep *step)
{
    write_lane(state, step, &step->b, hiera_state_read(state, &step->a));
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

void hiera_step_float_mask(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown x = hiera_state_read(state, &step->a), y = hiera_state_read(state, &step->b);
    gboolean holds =
        is_in_order((HieraFloatOrder)step->condition, float_of(x.bits, step->a.width), float_of(y.bits, step->a.width));
    write_lane(state, step, &step->a, (HieraKnown){x.known && y.known, holds ? ~0ull : 0});
}

void hiera_step_to_floats(HieraProcessState *state, const HieraStep *step)
{
    HieraKnown value = hiera_state_read(state, &step->a), *low = &state->registers[step->to.base],
               *high = low + HIERA_XMM_HIGH - HIERA_XMM;
    *high = (HieraKnown){value.known, hiera_bits_of_double((gdouble)(gint32)(value.bits >> 32))};
    *low = (HieraKnown){value.known, hiera_bits_of_double((gdouble)(gint32)value.bits)};
}
