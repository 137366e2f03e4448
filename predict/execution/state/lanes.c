/* See lanes.h. A byte of a result is known if all bytes from which it is computed are known. */
#include "lanes.h"
#include <string.h>

enum { BYTES = 16 };

typedef struct {
    guint8 bytes[BYTES], known[BYTES];
} Vector;

/* --- reading and writing vectors --- */

static void set_half(Vector *vector, guint half, HieraKnown value)
{
    memcpy(vector->bytes + half * 8, &value.bits, 8);
    memset(vector->known + half * 8, value.known, 8);
}

static Vector read_memory(HieraProcessState *state, HieraStepOperand place)
{
    Vector vector = {0};
    for (guint i = 0; i < BYTES; i += 8) {
        place.width = 8;
        HieraKnown value = hiera_state_read(state, &place);
        if (value.known)
            set_half(&vector, i / 8, value);
        for (guint k = 0; !value.known && k < 8; k++) { /* not all of the 8 bytes are known: look at each byte alone */
            HieraStepOperand byte = place;
            byte.width = 1;
            byte.number += k;
            HieraKnown one = hiera_state_read(state, &byte);
            vector.bytes[i + k] = (guint8)one.bits;
            vector.known[i + k] = (guint8)one.known;
        }
        place.number += 8;
    }
    return vector;
}

static Vector read_vector(HieraProcessState *state, const HieraStepOperand *place)
{
    Vector vector = {0};
    if (place->kind == HIERA_OPERAND_MEMORY)
        return read_memory(state, *place);
    if (place->kind == HIERA_OPERAND_REGISTER) {
        set_half(&vector, 0, state->registers[place->base]);
        if (place->base >= HIERA_XMM)
            set_half(&vector, 1, state->registers[place->base + HIERA_XMM_HIGH - HIERA_XMM]);
    } else if (place->kind == HIERA_OPERAND_NUMBER) {
        set_half(&vector, 0, (HieraKnown){TRUE, (guint64)place->number});
        set_half(&vector, 1, (HieraKnown){TRUE, 0});
    }
    return vector;
}

static HieraKnown half_of(const Vector *vector, guint half)
{
    HieraKnown value = {!memchr(vector->known + half * 8, 0, 8), 0};
    memcpy(&value.bits, vector->bytes + half * 8, 8);
    return value;
}

static void write_vector(HieraProcessState *state, const HieraStepOperand *place, const Vector *vector)
{
    state->registers[place->base] = half_of(vector, 0);
    state->registers[place->base + HIERA_XMM_HIGH - HIERA_XMM] = half_of(vector, 1);
}

/* --- operations on lanes --- */

static guint64 lane_of(const Vector *vector, guint lane, guint width)
{
    guint64 bits = 0;
    memcpy(&bits, vector->bytes + lane * width, width);
    return bits;
}

static gboolean is_known(const Vector *vector, guint lane, guint width)
{
    return !memchr(vector->known + lane * width, 0, width);
}

static void set_lane(Vector *vector, guint lane, guint width, gboolean known, guint64 bits)
{
    memcpy(vector->bytes + lane * width, &bits, width);
    memset(vector->known + lane * width, known, width);
}

static void copy_lane(Vector *to, guint lane, const Vector *from, guint from_lane, guint width)
{
    memcpy(to->bytes + lane * width, from->bytes + from_lane * width, width);
    memcpy(to->known + lane * width, from->known + from_lane * width, width);
}

/* Return the result for one lane of a and b. @param width  bytes of a lane */
static guint64 calculate(HieraLanes what, guint width, guint64 a, guint64 b)
{
    gint64 x = hiera_with_sign(a, width), y = hiera_with_sign(b, width);
    switch (what) {
    case HIERA_LANES_ADD:
        return a + b;
    case HIERA_LANES_SUBTRACT:
        return a - b;
    case HIERA_LANES_MULTIPLY:
        return a * b;
    case HIERA_LANES_AND_NOT:
        return ~a & b;
    case HIERA_LANES_EQUAL:
        return a == b ? ~0ull : 0;
    case HIERA_LANES_GREATER:
        return x > y ? ~0ull : 0;
    case HIERA_LANES_LEAST:
        return MIN(a, b);
    case HIERA_LANES_MOST:
        return MAX(a, b);
    case HIERA_LANES_LEAST_SIGNED:
        return (guint64)MIN(x, y);
    default: /* HIERA_LANES_MOST_SIGNED */
        return (guint64)MAX(x, y);
    }
}

/* Whether the result does not depend on the operands' value, since both are the same register (a - a = 0). */
static gboolean is_idiom(const HieraStep *step)
{
    gboolean same = step->a.kind == HIERA_OPERAND_REGISTER && step->b.kind == HIERA_OPERAND_REGISTER &&
                    step->a.base == step->b.base;
    return same && (step->condition == HIERA_LANES_EQUAL || step->condition == HIERA_LANES_SUBTRACT ||
                    step->condition == HIERA_LANES_GREATER || step->condition == HIERA_LANES_AND_NOT);
}

static Vector calculate_all(const HieraStep *step, const Vector *a, const Vector *b)
{
    Vector result = {0};
    guint width = step->lane;
    for (guint i = 0; i < BYTES / width; i++) {
        gboolean known = (is_known(a, i, width) && is_known(b, i, width)) || is_idiom(step);
        guint64 x = lane_of(a, i, width), y = lane_of(b, i, width);
        set_lane(&result, i, width, known,
                 is_idiom(step) ? (step->condition == HIERA_LANES_EQUAL ? ~0ull : 0)
                                : calculate((HieraLanes)step->condition, width, x, y));
    }
    return result;
}

/* Multiply the lower 4 bytes of each 8-byte lane; the products have 8 bytes. */
static Vector multiply_wide(const Vector *a, const Vector *b, gboolean is_signed)
{
    Vector result = {0};
    for (guint i = 0; i < 2; i++) {
        guint64 x = lane_of(a, 2 * i, 4), y = lane_of(b, 2 * i, 4);
        guint64 product = is_signed ? (guint64)(hiera_with_sign(x, 4) * hiera_with_sign(y, 4)) : x * y;
        set_lane(&result, i, 8, is_known(a, 2 * i, 4) && is_known(b, 2 * i, 4), product);
    }
    return result;
}

/* Shift each lane of a. @param b  number of bits: a constant, or in the lower half of a register */
static Vector shift(const HieraStep *step, const Vector *a, const Vector *b)
{
    Vector result = {0};
    guint width = step->lane, bits = width * 8;
    guint64 by = lane_of(b, 0, 8);
    for (guint i = 0; i < BYTES / width; i++) {
        guint64 x = lane_of(a, i, width), shifted;
        if (step->condition == HIERA_LANES_LEFT)
            shifted = by < bits ? x << by : 0;
        else if (step->condition == HIERA_LANES_RIGHT)
            shifted = by < bits ? x >> by : 0;
        else
            shifted = (guint64)(hiera_with_sign(x, width) >> MIN(by, bits - 1));
        set_lane(&result, i, width, is_known(a, i, width) && is_known(b, 0, 8), shifted);
    }
    return result;
}

/* Shift all 16 bytes of a by step->b.number bytes, and fill with zeros. */
static Vector shift_bytes(const HieraStep *step, const Vector *a)
{
    Vector result = {0};
    gboolean left = step->condition == HIERA_LANES_BYTES_LEFT;
    guint by = (guint)MIN((guint64)step->b.number & 0xff, BYTES);
    for (guint i = 0; i < BYTES; i++) {
        guint from = left ? i - by : i + by;
        if (left ? i >= by : from < BYTES)
            copy_lane(&result, i, a, from, 1);
        else
            result.known[i] = TRUE;
    }
    return result;
}

static Vector interleave(const HieraStep *step, const Vector *a, const Vector *b)
{
    Vector result = {0};
    guint width = step->lane, n = BYTES / width, first = step->condition == HIERA_LANES_INTERLEAVE_HIGH ? n / 2 : 0;
    for (guint i = 0; i < n / 2; i++) {
        copy_lane(&result, 2 * i, a, first + i, width);
        copy_lane(&result, 2 * i + 1, b, first + i, width);
    }
    return result;
}

/* Shuffle lanes: a number gives the source of each lane in `a`; with two operands, those of the upper half are in `b`.
 */
static Vector shuffle(const HieraStep *step, const Vector *a, const Vector *b)
{
    Vector result = {0};
    gboolean two = step->condition == HIERA_LANES_SHUFFLE_TWO;
    guint width = step->lane, n = BYTES / width, bits = n == 4 ? 2 : 1;
    guint how = (guint)(two ? step->to.number : step->b.number);
    for (guint i = 0; i < n; i++)
        copy_lane(&result, i, two && i >= n / 2 ? b : a, how >> (i * bits) & (n - 1), width);
    return result;
}

/* Permute the lower or the upper four 2-byte lanes as step->b.number says; the others stay. */
static Vector shuffle_half(const HieraStep *step, const Vector *a)
{
    Vector result = *a;
    guint first = step->condition == HIERA_LANES_SHUFFLE_HIGH ? 4 : 0;
    for (guint i = 0; i < 4; i++)
        copy_lane(&result, first + i, a, first + ((guint)step->b.number >> (i * 2) & 3), 2);
    return result;
}

/* Extend the lower two 4-byte lanes to 8 bytes, with zeros or with their sign. */
static Vector widen(const HieraStep *step, const Vector *a)
{
    Vector result = {0};
    for (guint i = 0; i < 2; i++) {
        guint64 x = lane_of(a, i, 4);
        set_lane(&result, i, 8, is_known(a, i, 4),
                 step->condition == HIERA_LANES_WIDEN_SIGNED ? (guint64)hiera_with_sign(x, 4) : x);
    }
    return result;
}

static Vector repeat(const HieraStep *step, const Vector *a)
{
    Vector result = {0};
    for (guint i = 0; i < BYTES / step->lane; i++)
        copy_lane(&result, i, a, 0, step->lane);
    return result;
}

static Vector insert(const HieraStep *step, const Vector *a, const Vector *b)
{
    Vector result = *a;
    copy_lane(&result, (guint)step->to.number & (BYTES / step->lane - 1u), b, 0, step->lane);
    return result;
}

/* --- results in general registers --- */

/* Collect the sign bits of all lanes in a number. */
static HieraKnown find_mask(const HieraStep *step, const Vector *a)
{
    HieraKnown mask = {TRUE, 0};
    for (guint i = 0; i < BYTES / step->lane; i++) {
        mask.known = mask.known && a->known[(i + 1) * step->lane - 1];
        mask.bits |= (guint64)(a->bytes[(i + 1) * step->lane - 1] >> 7) << i;
    }
    return mask;
}

static HieraKnown extract(const HieraStep *step, const Vector *a)
{
    guint lane = (guint)step->b.number & (BYTES / step->lane - 1u);
    return (HieraKnown){is_known(a, lane, step->lane), lane_of(a, lane, step->lane)};
}

void hiera_lanes_execute(HieraProcessState *state, const HieraStep *step)
{
    const Vector a = read_vector(state, &step->a), b = read_vector(state, &step->b);
    Vector result;
    switch ((HieraLanes)step->condition) {
    case HIERA_LANES_MASK:
        state->registers[step->to.base] = find_mask(step, &a);
        return;
    case HIERA_LANES_EXTRACT:
        state->registers[step->to.base] = extract(step, &a);
        return;
    case HIERA_LANES_MULTIPLY_WIDE:
    case HIERA_LANES_MULTIPLY_WIDE_SIGNED:
        result = multiply_wide(&a, &b, step->condition == HIERA_LANES_MULTIPLY_WIDE_SIGNED);
        break;
    case HIERA_LANES_LEFT:
    case HIERA_LANES_RIGHT:
    case HIERA_LANES_RIGHT_SIGNED:
        result = shift(step, &a, &b);
        break;
    case HIERA_LANES_BYTES_LEFT:
    case HIERA_LANES_BYTES_RIGHT:
        result = shift_bytes(step, &a);
        break;
    case HIERA_LANES_INTERLEAVE_LOW:
    case HIERA_LANES_INTERLEAVE_HIGH:
        result = interleave(step, &a, &b);
        break;
    case HIERA_LANES_SHUFFLE:
    case HIERA_LANES_SHUFFLE_TWO:
        result = shuffle(step, &a, &b);
        break;
    case HIERA_LANES_SHUFFLE_LOW:
    case HIERA_LANES_SHUFFLE_HIGH:
        result = shuffle_half(step, &a);
        break;
    case HIERA_LANES_WIDEN:
    case HIERA_LANES_WIDEN_SIGNED:
        result = widen(step, &a);
        break;
    case HIERA_LANES_REPEAT:
        result = repeat(step, &a);
        break;
    case HIERA_LANES_INSERT:
        result = insert(step, &a, &b);
        break;
    default:
        result = calculate_all(step, &a, &b);
        break;
    }
    write_vector(state, &step->to, &result);
}
