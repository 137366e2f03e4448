/* What skipped iterations do to registers, memory and counters. See ahead.h. */
#include "ahead.h"
#include <math.h>

enum {
    MOST_STORED = 1 << 20,   /* greatest number of values of a store that are written one by one */
    MOST_SCATTERED = 1 << 16 /* greatest range in bytes of an irregular store that is made unknown as a whole */
};

/* Whether a value has changed by the same amount in each of the n iterations since the first examined visit. */
static gboolean is_steady_since(const HieraChange *change, guint64 n)
{
    gdouble first = hiera_double_of_bits(change->first.bits), now = hiera_double_of_bits(change->value.bits);
    if (!change->first.known)
        return FALSE;
    return change->value.bits == change->first.bits + change->delta * n ||
           (change->n_float_same >= 2 && hiera_is_close(now - first, change->float_delta * (gdouble)n));
}

/* Advance several small integers in one register: none carries into the next one.
 * @param change  change of all of them as one number */
static guint64 add_lanes(guint64 bits, const HieraChange *change, gboolean grows, guint64 n, guint width)
{
    guint64 before = change->value.bits - change->delta, first = before - (change->delta - change->growth), result = 0;
    for (guint at = 0; at < 64; at += width * 8) {
        guint64 delta = (change->value.bits >> at) - (before >> at);
        guint64 growth = grows ? delta - ((before >> at) - (first >> at)) : 0;
        result |= hiera_cut((bits >> at) + delta * n + growth * (n * (n + 1) / 2), width) << at;
    }
    return result;
}

/* @param may_be_float  the bits of a growing double may also grow steadily for a while. Integers below 2^52 are
 * denormalised doubles, whose sums are exact */
static void skip_value(HieraKnown *value, const HieraChange *change, const HieraSkip *skip, gboolean may_be_float,
                       guint8 lanes)
{
    guint64 n = skip->n;
    gboolean is_same = change->n_same >= skip->n_same;
    gboolean grows = change->n_growing + 1u >= skip->n_same && n < G_MAXUINT32;
    if (!value->known)
        return;
    /* If iterations differ, only a value that has changed by the same amount in all of them so far stays known. */
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

/* Make memory unknown that a store will have written: by its steps, or by their mean if these differ. A loop whose end
 * was drawn does not store behind its variable. */
static void forget_on_the_way(HieraKnownMemory *memory, const HieraStoreChange *change, guint8 width,
                              const HieraSkip *skip)
{
    gdouble step = change->n_same >= skip->n_same || skip->n_before == 0
                       ? (gdouble)change->delta
                       : (gdouble)(gint64)(change->address - change->first) / (gdouble)skip->n_before;
    guint64 reach = (guint64)MIN(fabs(step) * (gdouble)skip->n, 1e15), begin, end;
    guint64 from = step > 0 ? change->address + width : change->address - MIN(reach, change->address);
    guint64 to = from + reach;
    if (hiera_known_memory_bounds(memory, change->address, &begin, &end)) {
        from = CLAMP(from, begin, end);
        to = CLAMP(to, begin, end);
    }
    hiera_known_memory_forget(memory, from, to - from);
}

static void skip_store(HieraProcess *process, const HieraStoreChange *change, guint8 width, guint8 lanes,
                       const HieraSkip *skip, gboolean content_is_known)
{
    guint64 n = skip->n;
    HieraKnownMemory *memory = process->state.memory;
    if (!change->has_address || change->n_same == 0)
        return; /* the address was not known, or did not change regularly */
    if (change->delta == 0) {
        HieraKnown value = change->content.value;
        value.known &= content_is_known;
        skip_value(&value, &change->content, skip, width == 8, lanes);
        if (width <= 8)
            hiera_known_memory_write(memory, change->address, width, value.known, value.bits);
        return;
    }
    /* The value of a store is compared one iteration after it was stored, so one equal change less is required of it.
     */
    if (content_is_known && n <= MOST_STORED && width <= 8 && change->content.n_same + 1u >= skip->n_same &&
        !skip->average) {
        for (guint64 i = 1; i <= n; i++)
            hiera_known_memory_write(memory, change->address + (guint64)change->delta * i, width, TRUE,
                                     lanes > 0
                                         ? add_lanes(change->content.value.bits, &change->content, FALSE, i, lanes)
                                         : change->content.value.bits + change->content.delta * i);
        return;
    }
    forget_on_the_way(memory, change, width, skip);
}

static void skip_counters(HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts,
                          const HieraSkip *skip)
{
    const HieraExecution *execution = process->execution;
    const HieraAhead *ahead = run->ahead;
    for (guint i = 0; i < facts->counters->len; i++) {
        guint counter = g_array_index(facts->counters, guint, i);
        gdouble more, steps = (gdouble)skip->n;
        if (skip->by_past)
            more = (gdouble)skip->past->sums[i] / (gdouble)skip->past->n * steps + skip->past->rests[i];
        else if (skip->average)
            more = (gdouble)(process->counters[counter] - ahead->first[i]) / (gdouble)skip->n_before * steps;
        else
            more = (gdouble)ahead->deltas[i] * steps +
                   (gdouble)(gint64)(ahead->deltas[i] - ahead->second[i]) * steps * (steps + 1) / 2;
        gdouble exact = more;
        more = floor(MAX(more, 0) + 0.5);
        if (skip->by_past)
            skip->past->rests[i] = exact - more;
        process->counters[counter] += (guint64)more;
        if (counter < execution->vertices->len)
            hiera_process_spend(process, more * (hiera_execution_vertex(execution, counter)->cycles +
                                                 process->library_cycles[counter]));
    }
}

/* Make memory unknown that an irregular store may have changed: it was not executed in this run of the loop, but in
 * others, or its addresses followed no rule. @return FALSE: the store is regular */
static gboolean forget_irregular(HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts,
                                 const HieraLoopPast *past, guint i)
{
    const HieraAhead *ahead = run->ahead;
    const HieraPastStore *store = &past->stores[i];
    guint8 width = process->state.stores[g_array_index(facts->stores, guint, i)].width;
    guint counter = g_array_index(facts->store_counters, guint, i);
    gboolean elsewhere = past->sums[counter] > 0 && ahead->counters[counter] == ahead->first[counter];
    if (store->is_irregular && store->low <= store->high && store->high - store->low <= MOST_SCATTERED)
        hiera_known_memory_forget(process->state.memory, store->low, store->high - store->low + width);
    else if (store->is_irregular || elsewhere)
        hiera_known_memory_forget(process->state.memory, ahead->stores[i].address, width);
    return store->is_irregular || elsewhere;
}

/* Advance malloc by the memory that skipped iterations would have allocated, so that later blocks do not overlap
 * theirs. */
static void skip_given(HieraKnownMemory *memory, const HieraChange *given, const HieraSkip *skip)
{
    gboolean is_same = given->n_same >= skip->n_same || skip->n_before == 0;
    gdouble each =
        is_same ? (gdouble)given->delta : (gdouble)(given->value.bits - given->first.bits) / (gdouble)skip->n_before;
    hiera_known_memory_give(memory, each * (gdouble)skip->n);
}

void hiera_ahead_skip(HieraProcess *process, HieraLoopRun *run, const HieraLoopFacts *facts, const HieraSkip *skip)
{
    const HieraAhead *ahead = run->ahead;
    skip_counters(process, run, facts, skip);
    skip_given(process->state.memory, &ahead->given, skip);
    for (guint i = 0; i < HIERA_N_REGISTERS; i++) {
        skip_value(&process->state.registers[i], &ahead->registers[i], skip, i >= HIERA_XMM, facts->lanes[i]);
        process->state.registers[i].known &= !skip->past || !skip->past->irregular[i];
        process->state.registers[i].n_low = 0;
    }
    for (guint i = HIERA_YMM; i < HIERA_N_ALL_REGISTERS; i++)
        process->state.registers[i].known = FALSE;
    for (guint i = 0; i < facts->stores->len; i++) {
        guint8 width = process->state.stores[g_array_index(facts->stores, guint, i)].width;
        if (!skip->past || !forget_irregular(process, run, facts, skip->past, i))
            skip_store(process, &ahead->stores[i], width, g_array_index(facts->store_lanes, guint8, i), skip,
                       !skip->past || !skip->past->stores[i].content_is_so);
    }
    hiera_process_forget_moves(process, run);
    run->iterations += skip->n;
    process->n_ahead += skip->n;
}
