/* Compares what a loop's iteration changed with what earlier ones changed. See ahead.h. */
#include "ahead.h"
#include <math.h>
#include <string.h>

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

HieraAhead *hiera_ahead_new(HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts)
{
    HieraAhead *ahead = g_new0(HieraAhead, 1);
    ahead->since = run->iterations;
    ahead->begin = run->begin;
    ahead->stores = g_new0(HieraStoreChange, facts->stores->len + 1);
    ahead->decided = g_new0(HieraDecided, facts->branches->len + 1);
    ahead->n_same = g_new0(guint8, facts->branches->len + 1);
    ahead->operands = g_malloc0((facts->branches->len + 1) * sizeof *ahead->operands);
    ahead->float_operands = g_malloc0((facts->branches->len + 1) * sizeof *ahead->float_operands);
    ahead->counters = g_new0(guint64, facts->counters->len + 1);
    ahead->deltas = g_new0(guint64, facts->counters->len + 1);
    ahead->second = g_new0(guint64, facts->counters->len + 1);
    ahead->first = g_new0(guint64, facts->counters->len + 1);
    for (guint i = 0; i < facts->counters->len; i++)
        ahead->first[i] = process->counters[g_array_index(facts->counters, guint, i)];
    return ahead;
}

static guint8 count_up(gboolean same, guint8 n)
{
    return same ? (guint8)MIN(n + 1, 100) : 0;
}

gboolean hiera_is_close(gdouble a, gdouble b)
{
    return isfinite(a) && isfinite(b) && fabs(a - b) <= 1e-9 * MAX(fabs(a), fabs(b));
}

static void observe(HieraChange *change, HieraKnown now)
{
    if (!change->has_first)
        change->first = now;
    change->has_first = TRUE;
    if (!now.known) { /* the usual case: the value is not known, so its change is not, either */
        change->value = now;
        change->n_same = change->n_growing = change->n_float_same = 0;
        return;
    }
    gboolean known = change->value.known;
    guint64 delta = now.bits - change->value.bits;
    gdouble float_delta = hiera_double_of_bits(now.bits) - hiera_double_of_bits(change->value.bits);
    change->n_same = known ? count_up(delta == change->delta, change->n_same) : 0;
    change->n_growing = known ? count_up(delta - change->delta == change->growth, change->n_growing) : 0;
    change->growth = delta - change->delta;
    change->n_float_same = known ? count_up(hiera_is_close(float_delta, change->float_delta), change->n_float_same) : 0;
    change->delta = delta;
    change->float_delta = float_delta;
    change->value = now;
}

static void observe_store(HieraProcess *process, HieraStoreChange *change, const HieraLastStore *store)
{
    HieraKnown content = {FALSE, 0};
    gint64 delta = (gint64)(store->address - change->address);
    if (store->has_address && store->width <= 8)
        content.known = hiera_known_memory_read(process->state.memory, store->address, store->width, &content.bits);
    change->n_same = store->has_address && change->has_address ? count_up(delta == change->delta, change->n_same) : 0;
    change->delta = delta;
    change->address = store->address;
    change->has_address = store->has_address;
    if (!change->has_first)
        change->first = store->address;
    change->has_first |= store->has_address;
    observe(&change->content, content);
}

/* Compare a branch's operands with those of its last decision. If that is n iterations ago, the change is divided by n.
 */
static void observe_branch(HieraProcess *process, HieraAhead *ahead, guint i, guint vertex)
{
    const HieraDecided *now = &process->decided[vertex];
    HieraDecided *before = &ahead->decided[i];
    gint64 n = (gint64)(now->iteration - before->iteration);
    if (now->turn < ahead->begin)
        return; /* the branch was not decided in this run of the loop */
    if (n <= 0 && now->iteration > 0)
        return; /* the branch was not decided since the last visit */
    gint64 delta[2] = {hiera_with_sign(now->flags.a - before->flags.a, now->flags.width),
                       hiera_with_sign(now->flags.b - before->flags.b, now->flags.width)};
    gdouble floats[2] = {hiera_double_of_bits(now->flags.a) - hiera_double_of_bits(before->flags.a),
                         hiera_double_of_bits(now->flags.b) - hiera_double_of_bits(before->flags.b)};
    gboolean same = n > 0 && now->known && before->known && now->taken == before->taken &&
                    now->flags.kind == before->flags.kind && now->flags.width == before->flags.width &&
                    hiera_flags_are_of_operands(
                        &now->flags, (HieraStepCondition)hiera_execution_vertex(process->execution, vertex)->condition);
    for (guint k = 0; n > 0 && k < 2; k++) {
        same &= now->flags.kind == HIERA_FLAGS_FLOATS || delta[k] % n == 0;
        delta[k] /= n;
        floats[k] /= (gdouble)n;
    }
    same &= now->flags.kind == HIERA_FLAGS_FLOATS
                ? hiera_is_close(floats[0], ahead->float_operands[i][0]) &&
                      hiera_is_close(floats[1], ahead->float_operands[i][1])
                : delta[0] == ahead->operands[i][0] && delta[1] == ahead->operands[i][1];
    ahead->n_same[i] = count_up(same, ahead->n_same[i]);
    memcpy(ahead->operands[i], delta, sizeof delta);
    memcpy(ahead->float_operands[i], floats, sizeof floats);
    *before = *now;
}

/* Compare the last increase of each counter with the one before: is it the same, or larger by a constant? */
static void observe_counters(HieraProcess *process, const HieraLoopFacts *facts, HieraAhead *ahead)
{
    ahead->is_steady = TRUE;
    for (guint i = 0; i < facts->counters->len; i++) {
        guint64 now = process->counters[g_array_index(facts->counters, guint, i)], delta = now - ahead->counters[i];
        ahead->is_steady &= delta - ahead->deltas[i] == ahead->deltas[i] - ahead->second[i];
        ahead->second[i] = ahead->deltas[i];
        ahead->deltas[i] = delta;
        ahead->counters[i] = now;
    }
    ahead->n_steady = count_up(ahead->is_steady, ahead->n_steady);
}

HieraLoopPast *hiera_loop_past_new(const HieraLoopFacts *facts)
{
    HieraLoopPast *past = g_new0(HieraLoopPast, 1);
    past->stores = g_new0(HieraPastStore, facts->stores->len + 1);
    for (guint i = 0; i < facts->stores->len; i++)
        past->stores[i].low = G_MAXUINT64;
    past->sums = g_new0(guint64, facts->counters->len + 1);
    past->rests = g_new0(gdouble, facts->counters->len + 1);
    return past;
}

void hiera_loop_past_free(HieraLoopPast *past)
{
    if (!past)
        return;
    g_free(past->stores);
    g_free(past->sums);
    g_free(past->rests);
    g_free(past);
}

static gboolean is_irregular(const HieraChange *change)
{
    return change->n_same == 0 && change->n_growing == 0 && change->n_float_same == 0;
}

/* Record in `past` which registers and stores did not change by a constant amount. */
static void keep_changes(HieraLoopPast *past, const HieraLoopFacts *facts, const HieraAhead *ahead)
{
    for (guint i = 0; i < HIERA_N_REGISTERS; i++)
        past->irregular[i] |= is_irregular(&ahead->registers[i]);
    for (guint i = 0; i < facts->stores->len; i++) {
        const HieraStoreChange *change = &ahead->stores[i];
        past->stores[i].is_irregular |= change->has_address && change->n_same == 0;
        past->stores[i].content_is_so |= is_irregular(&change->content);
    }
}

/* Add the iteration that ends with this visit of the header to `past`, the facts about all runs of the loop. */
static void keep(HieraLoopPast *past, const HieraLoopFacts *facts, const HieraAhead *ahead, gboolean drawn)
{
    gboolean can_tell = ahead->n_visits >= 3; /* with fewer visits, no three changes can be compared */
    past->n++;
    past->drawn |= drawn;
    past->is_uneven |= can_tell && !ahead->is_steady;
    for (guint i = 0; i < facts->counters->len; i++)
        past->sums[i] += ahead->deltas[i];
    for (guint i = 0; i < facts->stores->len; i++) {
        if (!ahead->stores[i].has_address)
            continue;
        past->stores[i].low = MIN(past->stores[i].low, ahead->stores[i].address);
        past->stores[i].high = MAX(past->stores[i].high, ahead->stores[i].address);
    }
    if (can_tell)
        keep_changes(past, facts, ahead);
}

void hiera_ahead_observe(HieraProcess *process, const HieraLoopFacts *facts, HieraAhead *ahead, guint64 enough)
{
    for (guint i = 0; i < HIERA_N_REGISTERS; i++)
        observe(&ahead->registers[i], process->state.registers[i]);
    observe(&ahead->given, (HieraKnown){TRUE, hiera_known_memory_next(process->state.memory)});
    for (guint i = 0; i < facts->stores->len; i++)
        observe_store(process, &ahead->stores[i], &process->state.stores[g_array_index(facts->stores, guint, i)]);
    observe_counters(process, facts, ahead);
    for (guint i = 0; i < facts->branches->len; i++)
        observe_branch(process, ahead, i, g_array_index(facts->branches, guint, i));
    if (ahead->past && ahead->n_visits > 0 && ahead->past->n < enough)
        keep(ahead->past, facts, ahead, process->n_drawn != ahead->n_drawn);
    ahead->n_drawn = process->n_drawn;
    ahead->n_visits++;
}
