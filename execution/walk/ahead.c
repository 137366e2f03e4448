/* Skips iterations of a loop that are like those before.
 *
 * Each time that the header of a loop is reached, what the iteration changed is compared with what the one before it
 * changed: registers, scalars in memory, the operands of decisions, how often each vertex was executed. Where all of
 * that changes by the same amount each time, it is known when a decision turns out otherwise for the first time; the
 * iterations before are not walked. Executions may also grow by the same number each time (a triangle of two loops).
 * Where branches are drawn, or depend on data, the average of many iterations is taken instead. What does not change
 * by the same amount is not known afterwards.
 *
 * That is a forecast from a few iterations: a loop that behaves otherwise later, for a reason that no decision of its
 * own shows, is not seen through. */
#include "process.h"
#include <math.h>
#include <string.h>

enum {
    LEAST = 64,            /* fewer iterations are walked */
    MOST_STORED = 1 << 20, /* values that are stored one by one */
    AVERAGE = 128,         /* iterations of which an average is taken */
    FEW = 4,               /* visits of the header that must tell the same, */
    MANY = 16,             /* and the first times: data may have a period */
    TRUSTED = 8,           /* so often */
    NEVER = -1
};
/* Operands whose sums and differences are numbers of 64 bits. */
#define LARGEST (G_GINT64_CONSTANT(1) << 61)

/* A value at the header, and how it changed: as an integer, whose change may grow steadily, or as a double. */
typedef struct {
    HieraKnown value, first; /* now, and when the loop was looked at first */
    gboolean has_first;
    guint64 delta, growth;
    gdouble float_delta;
    guint8 n_same, n_growing, n_float_same; /* how often in a row it changed by delta; by delta + growth; float_delta */
} Change;

/* A store: where it stored, and what stands there. */
typedef struct {
    guint64 address, first; /* now, and when the loop was looked at first */
    gint64 delta;           /* of the address */
    guint8 n_same;
    gboolean has_address, has_first;
    Change content;
} StoreChange;

typedef struct HieraAhead {
    guint n_visits; /* of the header in a row */
    guint64 since;  /* iterations when `first` was taken */
    Change registers[HIERA_N_REGISTERS];
    StoreChange *stores;
    HieraDecided *decided; /* by branch of the facts */
    guint8 *n_same;        /* of a branch: how often its operands changed by the same */
    gint64 (*operands)[2]; /* by how much */
    gdouble (*float_operands)[2];
    guint64 *counters, *deltas, *second, *first; /* now; the last two changes; when the loop was entered */
} HieraAhead;

void hiera_ahead_free(HieraAhead *ahead)
{
    if (!ahead)
        return;
    g_free(ahead->stores);
    g_free(ahead->decided);
    g_free(ahead->n_same);
    g_free(ahead->operands);
    g_free(ahead->float_operands);
    g_free(ahead->counters);
    g_free(ahead->deltas);
    g_free(ahead->second);
    g_free(ahead->first);
    g_free(ahead);
}

static HieraAhead *ahead_new(const HieraLoopFacts *facts)
{
    HieraAhead *ahead = g_new0(HieraAhead, 1);
    ahead->stores = g_new0(StoreChange, facts->stores->len + 1);
    ahead->decided = g_new0(HieraDecided, facts->branches->len + 1);
    ahead->n_same = g_new0(guint8, facts->branches->len + 1);
    ahead->operands = g_malloc0((facts->branches->len + 1) * sizeof *ahead->operands);
    ahead->float_operands = g_malloc0((facts->branches->len + 1) * sizeof *ahead->float_operands);
    ahead->counters = g_new0(guint64, facts->counters->len + 1);
    ahead->deltas = g_new0(guint64, facts->counters->len + 1);
    ahead->second = g_new0(guint64, facts->counters->len + 1);
    ahead->first = g_new0(guint64, facts->counters->len + 1);
    return ahead;
}

/* --- what an iteration changed --- */

static guint8 count_up(gboolean same, guint8 n)
{
    return same ? (guint8)MIN(n + 1, 100) : 0;
}

static gboolean is_close(gdouble a, gdouble b)
{
    return isfinite(a) && isfinite(b) && fabs(a - b) <= 1e-9 * MAX(fabs(a), fabs(b));
}

static void observe(Change *change, HieraKnown now)
{
    gboolean known = change->value.known && now.known;
    guint64 delta = now.bits - change->value.bits;
    gdouble float_delta = hiera_double_of_bits(now.bits) - hiera_double_of_bits(change->value.bits);
    change->n_same = known ? count_up(delta == change->delta, change->n_same) : 0;
    change->n_growing = known ? count_up(delta - change->delta == change->growth, change->n_growing) : 0;
    change->growth = delta - change->delta;
    change->n_float_same = known ? count_up(is_close(float_delta, change->float_delta), change->n_float_same) : 0;
    change->delta = delta;
    change->float_delta = float_delta;
    change->value = now;
    if (!change->has_first)
        change->first = now;
    change->has_first = TRUE;
}

static void observe_store(HieraProcess *process, StoreChange *change, const HieraLastStore *store)
{
    HieraKnown content = {FALSE, 0};
    gint64 delta = (gint64)(store->address - change->address);
    if (store->has_address && store->width <= 8)
        content.known = hiera_memory_read(process->state.memory, store->address, store->width, &content.bits);
    change->n_same = store->has_address && change->has_address ? count_up(delta == change->delta, change->n_same) : 0;
    change->delta = delta;
    change->address = store->address;
    change->has_address = store->has_address;
    if (!change->has_first)
        change->first = store->address;
    change->has_first |= store->has_address;
    observe(&change->content, content);
}

/* Decisions need not be made in each iteration: the change is that of one. */
static void observe_branch(HieraProcess *process, HieraAhead *ahead, guint i, guint vertex)
{
    const HieraDecided *now = &process->decided[vertex];
    HieraDecided *before = &ahead->decided[i];
    gint64 n = (gint64)(now->iteration - before->iteration);
    if (n <= 0 && now->iteration > 0)
        return; /* not since then */
    gint64 delta[2] = {hiera_with_sign(now->flags.a - before->flags.a, now->flags.width),
                       hiera_with_sign(now->flags.b - before->flags.b, now->flags.width)};
    gdouble floats[2] = {hiera_double_of_bits(now->flags.a) - hiera_double_of_bits(before->flags.a),
                         hiera_double_of_bits(now->flags.b) - hiera_double_of_bits(before->flags.b)};
    gboolean same = n > 0 && now->known && before->known && now->taken == before->taken &&
                    now->flags.kind == before->flags.kind && now->flags.width == before->flags.width;
    for (guint k = 0; n > 0 && k < 2; k++) {
        same &= now->flags.kind == HIERA_FLAGS_FLOATS || delta[k] % n == 0;
        delta[k] /= n;
        floats[k] /= (gdouble)n;
    }
    same &= now->flags.kind == HIERA_FLAGS_FLOATS
                ? is_close(floats[0], ahead->float_operands[i][0]) && is_close(floats[1], ahead->float_operands[i][1])
                : delta[0] == ahead->operands[i][0] && delta[1] == ahead->operands[i][1];
    ahead->n_same[i] = count_up(same, ahead->n_same[i]);
    memcpy(ahead->operands[i], delta, sizeof delta);
    memcpy(ahead->float_operands[i], floats, sizeof floats);
    *before = *now;
}

static void observe_all(HieraProcess *process, const HieraLoopFacts *facts, HieraAhead *ahead)
{
    for (guint i = 0; i < HIERA_N_REGISTERS; i++)
        observe(&ahead->registers[i], process->state.registers[i]);
    for (guint i = 0; i < facts->stores->len; i++)
        observe_store(process, &ahead->stores[i], &process->state.stores[g_array_index(facts->stores, guint, i)]);
    for (guint i = 0; i < facts->counters->len; i++) {
        guint64 now = process->counters[g_array_index(facts->counters, guint, i)];
        ahead->second[i] = ahead->deltas[i];
        ahead->deltas[i] = now - ahead->counters[i];
        ahead->counters[i] = now;
    }
    for (guint i = 0; i < facts->branches->len; i++)
        observe_branch(process, ahead, i, g_array_index(facts->branches, guint, i));
    ahead->n_visits++;
}

/* --- until when --- */

/* The first k from 1 on with a + k d < 0 (or >= 0, the other way round, if it is now); NEVER if there is none. */
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

/* After how many iterations an operand is too large for its width, and begins anew. */
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

/* After how many more iterations a decision turns out otherwise, as far as operands are not too large. */
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
    case HIERA_IF_NOT_ABOVE: /* as if it were signed, which it is up to the largest number */
        a = (gint64)flags->a;
        b = (gint64)flags->b;
        break;
    default:
        break;
    }
    if (is_large(a) || is_large(b) || is_large(delta[0]) || is_large(delta[1]))
        return 1; /* nothing is foreseen */
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
    case HIERA_IF_NOT_GREATER: /* difference <= 0 */
        return until_sign_changes(difference - 1, d);
    case HIERA_IF_OVERFLOW:
    case HIERA_IF_PARITY:
        return d == 0 ? NEVER : 1;
    default: /* BELOW, LESS, SIGN: difference < 0 */
        return until_sign_changes(difference, d);
    }
}

/* The same, or until an operand is too large. */
static gint64 until_changed(const HieraDecided *decided, HieraStepCondition condition, const gint64 *delta,
                            const gdouble *floats)
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

/* How many iterations are like those before. @param vague  set if some of it is drawn, or depends on data */
static gint64 find_horizon(HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts,
                           guint least_same, gboolean *vague)
{
    const HieraAhead *ahead = run->ahead;
    gint64 least = G_MAXINT64;
    for (guint i = 0; i < facts->branches->len; i++) {
        guint number = g_array_index(facts->branches, guint, i);
        const HieraVertex *vertex = hiera_execution_vertex(process->execution, number);
        const HieraDecided *decided = &ahead->decided[i];
        gboolean leaves = is_exit(process->execution, vertex, run->loop);
        if (decided->known && ahead->n_same[i] >= least_same) {
            gint64 k = until_changed(decided, (HieraStepCondition)vertex->condition, ahead->operands[i],
                                     ahead->float_operands[i]);
            k -= k == NEVER ? 0 : (gint64)(run->iterations - 1 - decided->iteration);
            least = k == NEVER ? least : MIN(least, k);
        } else if (leaves && !decided->known && run->has_limit) {
            least = MIN(least, run->limit > run->iterations ? (gint64)(run->limit - run->iterations) : 0);
        } else if (leaves && decided->known && decided->iteration > 0) {
            return 0; /* nobody knows when it is left */
        } else {
            *vague |= decided->iteration > 0;
        }
    }
    return least == G_MAXINT64 ? 0 : least;
}

/* Whether each counter grows by the same number each time, or by one that itself grows so. */
static gboolean is_steady(const HieraLoopFacts *facts, const HieraAhead *ahead, const gint64 *third)
{
    for (guint i = 0; i < facts->counters->len; i++)
        if ((gint64)(ahead->deltas[i] - ahead->second[i]) != third[i])
            return FALSE;
    return TRUE;
}

static guint n_needed(const HieraLoopFacts *facts)
{
    return facts->n_skipped < TRUSTED ? MANY : FEW;
}

/* --- skipping --- */

typedef struct {
    guint64 n;        /* iterations that are skipped */
    guint64 n_before; /* since the first one that was looked at */
    guint n_same;     /* how often something must have changed by the same */
    gboolean average; /* iterations differ */
} Skip;

/* @param n  iterations since the first one that was looked at */
static gboolean is_steady_since(const Change *change, guint64 n)
{
    gdouble first = hiera_double_of_bits(change->first.bits), now = hiera_double_of_bits(change->value.bits);
    if (!change->first.known)
        return FALSE;
    return change->value.bits == change->first.bits + change->delta * n ||
           (change->n_float_same >= 2 && is_close(now - first, change->float_delta * (gdouble)n));
}

/* What becomes of integers of a few bytes that stand beside each other: none carries into the next one.
 * @param change  of all of them as one number */
static guint64 add_lanes(guint64 bits, const Change *change, gboolean grows, guint64 n, guint width)
{
    guint64 before = change->value.bits - change->delta, first = before - (change->delta - change->growth), result = 0;
    for (guint at = 0; at < 64; at += width * 8) {
        guint64 delta = (change->value.bits >> at) - (before >> at);
        guint64 growth = grows ? delta - ((before >> at) - (first >> at)) : 0;
        result |= hiera_cut((bits >> at) + delta * n + growth * (n * (n + 1) / 2), width) << at;
    }
    return result;
}

/* @param may_be_float  a double that grows has bits that may grow steadily for a while, too. Integers below 2^52 are
 *                      doubles that are not normalised, whose sums are exact */
static void skip_value(HieraKnown *value, const Change *change, const Skip *skip, gboolean may_be_float, guint8 lanes)
{
    guint64 n = skip->n;
    gboolean is_same = change->n_same >= skip->n_same;
    gboolean grows = change->n_growing + 1u >= skip->n_same && n < G_MAXUINT32;
    if (!value->known)
        return;
    /* Where iterations differ, the change must have been the same in all of them so far. */
    if (skip->average && !is_steady_since(change, skip->n_before)) {
        value->known = FALSE;
        return;
    }
    gboolean is_float = lanes == 0 && change->n_float_same >= skip->n_same && (may_be_float || !is_same);
    if (lanes > 0 && (is_same || grows))
        value->bits = add_lanes(value->bits, change, !is_same, n, lanes);
    else if (!is_float && is_same)
        value->bits += change->delta * n;
    else if (!is_float && grows)
        value->bits += change->delta * n + change->growth * (n * (n + 1) / 2);
    else if (is_float)
        value->bits = hiera_bits_of_double(hiera_double_of_bits(value->bits) + change->float_delta * (gdouble)n);
    else
        value->known = FALSE;
}

/* Forget where a store will have stored, by its steps, or where these differ by their mean. A loop whose end was drawn
 * does not store behind its variable. */
static void forget_on_the_way(HieraKnownMemory *memory, const StoreChange *change, guint8 width, const Skip *skip)
{
    gdouble step = change->n_same >= skip->n_same || skip->n_before == 0
                       ? (gdouble)change->delta
                       : (gdouble)(gint64)(change->address - change->first) / (gdouble)skip->n_before;
    guint64 reach = (guint64)MIN(fabs(step) * (gdouble)skip->n, 1e15), begin, end;
    guint64 from = step > 0 ? change->address + width : change->address - MIN(reach, change->address);
    guint64 to = from + reach;
    if (hiera_memory_bounds(memory, change->address, &begin, &end)) {
        from = CLAMP(from, begin, end);
        to = CLAMP(to, begin, end);
    }
    hiera_memory_forget(memory, from, to - from);
}

static void skip_store(HieraProcess *process, const StoreChange *change, guint8 width, guint8 lanes, const Skip *skip)
{
    guint64 n = skip->n;
    HieraKnownMemory *memory = process->state.memory;
    if (!change->has_address || change->n_same == 0)
        return; /* it is not known where */
    if (change->delta == 0) {
        HieraKnown value = change->content.value;
        skip_value(&value, &change->content, skip, width == 8, lanes);
        if (width <= 8)
            hiera_memory_write(memory, change->address, width, value.known, value.bits);
        return;
    }
    if (n <= MOST_STORED && width <= 8 && change->content.n_same >= skip->n_same && !skip->average) {
        for (guint64 i = 1; i <= n; i++)
            hiera_memory_write(memory, change->address + (guint64)change->delta * i, width, TRUE,
                               lanes > 0 ? add_lanes(change->content.value.bits, &change->content, FALSE, i, lanes)
                                         : change->content.value.bits + change->content.delta * i);
        return;
    }
    forget_on_the_way(memory, change, width, skip);
}

static void skip_counters(HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts, guint64 n,
                          gboolean average)
{
    const HieraExecution *execution = process->execution;
    for (guint i = 0; i < facts->counters->len; i++) {
        guint counter = g_array_index(facts->counters, guint, i);
        gdouble more, steps = (gdouble)n;
        if (average)
            more = (gdouble)(process->counters[counter] - run->ahead->first[i]) /
                   (gdouble)(run->iterations - run->ahead->since) * steps;
        else
            more = (gdouble)run->ahead->deltas[i] * steps +
                   (gdouble)(gint64)(run->ahead->deltas[i] - run->ahead->second[i]) * steps * (steps + 1) / 2;
        more = floor(MAX(more, 0) + 0.5);
        process->counters[counter] += (guint64)more;
        if (counter < execution->vertices->len)
            process->cycles +=
                more * (hiera_execution_vertex(execution, counter)->cycles + process->library_cycles[counter]);
    }
}

static void skip(HieraProcess *process, HieraLoopRun *run, const HieraLoopFacts *facts, guint64 n, gboolean average)
{
    const Skip how = {n, run->iterations - run->ahead->since, n_needed(facts) - 2, average};
    skip_counters(process, run, facts, n, average);
    for (guint i = 0; i < HIERA_N_REGISTERS; i++)
        skip_value(&process->state.registers[i], &run->ahead->registers[i], &how, i >= HIERA_XMM, facts->lanes[i]);
    for (guint i = 0; i < facts->stores->len; i++)
        skip_store(process, &run->ahead->stores[i], process->state.stores[g_array_index(facts->stores, guint, i)].width,
                   g_array_index(facts->store_lanes, guint8, i), &how);
    run->iterations += n;
    process->n_ahead += n;
    run->ahead->n_visits = 0;
    process->facts[run->loop].n_skipped++;
}

/* Visits of the header that are looked at: the first ones, then some of each 64. */
static gboolean is_looked_at(const HieraLoopRun *run, const HieraLoopFacts *facts)
{
    return run->iterations < n_needed(facts) + 4 || run->iterations % 64 <= n_needed(facts);
}

void hiera_process_look_ahead(HieraProcess *process, HieraLoopRun *run)
{
    HieraLoopFacts *facts = &process->facts[run->loop];
    gboolean vague = FALSE;
    if (!is_looked_at(run, facts)) {
        if (run->ahead)
            run->ahead->n_visits = 0;
        return;
    }
    if (!facts->ready)
        hiera_loop_facts_find(process->execution, run->loop, facts);
    if (facts->communicates)
        return;
    if (!run->ahead) {
        run->ahead = ahead_new(facts);
        run->ahead->since = run->iterations;
        for (guint i = 0; i < facts->counters->len; i++)
            run->ahead->first[i] = process->counters[g_array_index(facts->counters, guint, i)];
    }
    g_autofree gint64 *third = g_new(gint64, facts->counters->len + 1);
    for (guint i = 0; i < facts->counters->len; i++)
        third[i] = (gint64)(run->ahead->deltas[i] - run->ahead->second[i]);
    observe_all(process, facts, run->ahead);
    if (run->ahead->n_visits < n_needed(facts))
        return;
    guint least_same = n_needed(facts) - 2;
    gint64 n = find_horizon(process, run, facts, least_same, &vague) - 1;
    gboolean steady = is_steady(facts, run->ahead, third);
    if (n < LEAST || ((vague || !steady) && run->iterations < AVERAGE))
        return;
    skip(process, run, facts, (guint64)n, vague || !steady);
}
