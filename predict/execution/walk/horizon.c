/* Predicts for how many iterations of a loop its decisions stay the same. See ahead.h. */
#include "ahead.h"
#include <math.h>

enum { NEVER = -1 };
/* Operands below this bound have sums and differences that fit into 64 bits. */
#define LARGEST (G_GINT64_CONSTANT(1) << 61)

/* Return the first k >= 1 for which a + k d has another sign than a (0 counts as positive); NEVER: there is none. */
static gint64 until_sign_changes(gint64 a, gint64 d)
{
    if (a < 0)
        return d <= 0 ? NEVER : -a / d + (-a % d != 0);
    return d >= 0 ? NEVER : a / -d + 1;
}

static gint64 until_floats_change(const HieraFlags *flags, const gdouble *delta)
{
    gdouble a = hiera_double_of_bits(flags->a) - hiera_double_of_bits(flags->b), d = delta[0] - delta[1];
    gdouble k = d == 0 || (a < 0) == (d < 0) ? -1 : ceil(-a / d);
    return k < 0 || k > 1e15 ? NEVER : MAX(1, (gint64)k);
}

/* Return how many iterations later an operand overflows. @param d  its change per iteration. @param width  in bytes */
static gint64 until_wrapped(gint64 a, gint64 d, guint width, gboolean is_signed)
{
    gdouble size = ldexp(1, (int)width * 8), least = is_signed ? -size / 2 : 0, most = least + size - 1;
    gdouble at = !is_signed && a < 0 ? (gdouble)(guint64)a : (gdouble)a;
    gdouble k = d == 0 ? 1e18 : floor((d > 0 ? most - at : at - least) / fabs((gdouble)d)) + 1;
    return k > 1e15 ? G_MAXINT64 : MAX(1, (gint64)k);
}

static gboolean is_large(gint64 number)
{
    return number >= LARGEST || number <= -LARGEST;
}

/* Return how many iterations later a decision is another one, if its operands change by `delta` in each. */
static gint64 until_decided(const HieraDecided *decided, HieraStepCondition condition, const gint64 *delta,
                            const gdouble *floats)
{
    const HieraFlags *flags = &decided->flags;
    guint width = flags->width;
    gint64 a = hiera_with_sign(flags->a, width), b = hiera_with_sign(flags->b, width), d, difference;
    if (flags->kind == HIERA_FLAGS_FLOATS)
        return until_floats_change(flags, floats);
    switch ((HieraStepCondition)(condition & ~1u)) {
    case HIERA_IF_BELOW:
    case HIERA_IF_NOT_ABOVE: /* compared as signed numbers, which is right for those below 2^63 */
        a = (gint64)flags->a;
        b = (gint64)flags->b;
        break;
    default:
        break;
    }
    if (is_large(a) || is_large(b) || is_large(delta[0]) || is_large(delta[1]))
        return 1; /* numbers too large to predict: at least one iteration is walked */
    d = delta[0] - delta[1];
    if (flags->kind == HIERA_FLAGS_RESULT)
        b = 0;
    else if (flags->kind == HIERA_FLAGS_SUM) {
        b = -b;
        d = delta[0] + delta[1];
    }
    difference = a - b;
    switch ((HieraStepCondition)(condition & ~1u)) {
    case HIERA_IF_EQUAL:
        if (difference == 0)
            return d == 0 ? NEVER : 1;
        return d != 0 && -difference % d == 0 && -difference / d > 0 ? -difference / d : NEVER;
    case HIERA_IF_NOT_ABOVE:
    case HIERA_IF_NOT_GREATER: /* the condition holds if difference <= 0 */
        return until_sign_changes(difference - 1, d);
    case HIERA_IF_OVERFLOW:
    case HIERA_IF_PARITY:
        return d == 0 ? NEVER : 1;
    default: /* BELOW, LESS and SIGN hold if difference < 0 */
        return until_sign_changes(difference, d);
    }
}

/* Number of iterations until a pointer leaves its variable or malloc block. List elements may be equally spaced, as
 * memory was allocated, but no operand shows where the list ends. */
static gint64 until_outside(const HieraKnownMemory *memory, guint64 pointer, gint64 d, guint width)
{
    guint64 begin, end;
    if (width != 8 || d == 0)
        return G_MAXINT64;
    if (!hiera_known_memory_bounds(memory, pointer, &begin, &end))
        return hiera_known_memory_has_given(memory, pointer) ? 1 : G_MAXINT64;
    /* + 1 until the pointer leaves the block, + 1 for one more comparison outside it. */
    return (gint64)((d > 0 ? end - pointer : pointer - begin) / (guint64)ABS(d)) + 2;
}

/* Number of iterations until a decision changes, or an operand overflows or, as a pointer, leaves its block of memory.
 */
static gint64 until_changed(const HieraKnownMemory *memory, const HieraDecided *decided, HieraStepCondition condition,
                            const gint64 *delta, const gdouble *floats)
{
    const HieraFlags *flags = &decided->flags;
    guint base = condition & ~1u;
    gboolean is_signed = base != HIERA_IF_BELOW && base != HIERA_IF_NOT_ABOVE;
    gint64 k = until_decided(decided, condition, delta, floats), least = k == NEVER ? G_MAXINT64 : k;
    if (flags->kind != HIERA_FLAGS_FLOATS) {
        for (guint i = 0; i < 2; i++) {
            guint64 bits = i == 0 ? flags->a : flags->b;
            least = MIN(least, until_wrapped(is_signed ? hiera_with_sign(bits, flags->width) : (gint64)bits, delta[i],
                                             flags->width, is_signed));
            least = MIN(least, until_outside(memory, bits, delta[i], flags->width));
        }
    }
    return least == G_MAXINT64 ? NEVER : least;
}

static gboolean is_exit(const HieraExecution *execution, const HieraVertex *vertex, guint loop)
{
    for (guint k = 0; k < 2; k++)
        if (vertex->next[k] == HIERA_NO_VERTEX || !hiera_execution_is_inside(execution, vertex->next[k], loop))
            return TRUE;
    return FALSE;
}

/* Whether a decision has the same operands as those of another exit, whose end is foreseen, at that iteration.
 * Compilers test one counter at several places, on different paths. */
static gboolean is_decided_by_another(const HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts,
                                      guint least_same, guint unsure)
{
    const HieraDecided *one = &run->ahead->decided[unsure];
    for (guint i = 0; i < facts->branches->len; i++) {
        const HieraVertex *vertex =
            hiera_execution_vertex(process->execution, g_array_index(facts->branches, guint, i));
        const HieraDecided *other = &run->ahead->decided[i];
        guint64 n = one->iteration - other->iteration;
        guint width = other->flags.width;
        if (other->known && run->ahead->n_same[i] >= least_same && is_exit(process->execution, vertex, run->loop) &&
            one->flags.kind == other->flags.kind && one->flags.kind != HIERA_FLAGS_FLOATS &&
            one->flags.width == width &&
            hiera_cut(other->flags.a + n * (guint64)run->ahead->operands[i][0], width) == one->flags.a &&
            hiera_cut(other->flags.b + n * (guint64)run->ahead->operands[i][1], width) == one->flags.b)
            return TRUE;
    }
    return FALSE;
}

gint64 hiera_ahead_find_horizon(const HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts,
                                guint least_same, gboolean *vague)
{
    const HieraAhead *ahead = run->ahead;
    gint64 least = G_MAXINT64;
    gboolean ends = FALSE; /* whether it is known of an exit when it will be taken */
    for (guint i = 0; i < facts->branches->len; i++) {
        guint number = g_array_index(facts->branches, guint, i);
        const HieraVertex *vertex = hiera_execution_vertex(process->execution, number);
        const HieraDecided *decided = &ahead->decided[i];
        gboolean leaves = is_exit(process->execution, vertex, run->loop);
        if (decided->known && ahead->n_same[i] >= least_same) {
            gint64 k = until_changed(process->state.memory, decided, (HieraStepCondition)vertex->condition,
                                     ahead->operands[i], ahead->float_operands[i]);
            ends |= leaves && k != NEVER;
            k -= k == NEVER ? 0 : (gint64)(run->iterations - 1 - decided->iteration);
            least = k == NEVER ? least : MIN(least, k);
        } else if (leaves && !decided->known && run->has_limit) {
            ends = TRUE;
            least = MIN(least, run->limit > run->iterations ? (gint64)(run->limit - run->iterations) : 0);
        } else if (leaves && decided->known && decided->iteration > 0) {
            if (!is_decided_by_another(process, run, facts, least_same, i))
                return 0; /* it cannot be predicted when this decision leaves the loop */
        } else {
            *vague |= decided->iteration > 0;
        }
    }
    return least == G_MAXINT64 || !ends ? 0 : least;
}
