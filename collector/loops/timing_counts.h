/* What a thread counts without events, how often it times, and its sums. For timing_events.c: code that runs in events.
 */
#pragma once

#include "timing_table.h"

/* Return first loop and number of loops of a function, read in one step, since another thread may set them. */
IN_EVENT static HieraTimedFunction loops_of(uint32_t function)
{
    HieraTimedFunction loops;
    __atomic_load(&hiera_timed_functions[function], &loops, __ATOMIC_RELAXED);
    return loops;
}

/* What a thread counts of a loop. */
IN_EVENT static int32_t *down_of(uint32_t loop)
{
    return &hiera_timed_locals.down[loop % HIERA_TIMED_SLOTS];
}

IN_EVENT static uint64_t *count_of(uint32_t loop)
{
    return &hiera_timed_locals.counts[loop % HIERA_TIMED_SLOTS];
}

/* That of a function; those that have none share one that is never more than 0. */
IN_EVENT static int32_t *gate_of(uint32_t function)
{
    return &hiera_timed_locals.gates[function < HIERA_TIMED_GATES ? function : 0];
}

/* From what a thread counts down to the next call of a function that is timed. */
IN_EVENT static void set_gate(HieraTimedThread *thread, uint32_t function, int32_t gap)
{
    uint32_t bit = function < HIERA_TIMED_GATES ? 1u << function : 0;
    *gate_of(function) = thread->activations[function].gap = gap;
    thread->gated = gap > 1 ? thread->gated | bit : thread->gated & ~bit;
}

/* All of the first WARM are timed. Then so few that their events take a 50th of the time. Of functions, WARM_UPS are
 * executed before one that counts: at first the processor does not know which way the branches of a copy go. */
enum {
    WARM = 128,
    SHARE = 50,
    GAP_MAX = 1024,
    GATE_MAX = 64,
    GATE_MOST = 16384,
    MANY = 100,
    LONG = 300000,
    ALWAYS = -(1 << 30),
    WARM_UPS = 3
};

/* Number of executions until the next one that is timed: random, since programs have patterns; `most` in the mean. */
IN_EVENT static int32_t next_gap(HieraTimedThread *thread, const HieraTimedPace *pace, int64_t pair, int64_t most)
{
    int64_t gap = pace->mean > 0 ? SHARE * pair / pace->mean : most;
    if (pace->n < WARM || pace->is_full || gap <= 1 || most <= 1)
        return 1;
    gap = gap > most ? most : gap;
    thread->random = thread->random * 1664525 + 1013904223;
    return (int32_t)(gap / 2 + 1 + (thread->random >> 8) % gap);
}

static bool was_running(HieraTimedThread *thread, int64_t ticks, int64_t most);

/* Note what one took. One that takes so much longer than the others, for the iterations it has, and may have waited for
 * the processor, stands for itself alone.
 * @return  for how many it stands */
IN_EVENT static uint32_t note_one(HieraTimedThread *thread, HieraTimedPace *pace, int64_t ticks, uint64_t iterations,
                                  uint32_t weight)
{
    enum { RATIO_MAX = 1 << 16 };
    uint64_t ratio = iterations / (uint64_t)(pace->turns + 1);
    int64_t most = MANY * pace->mean * (1 + (int64_t)(ratio > RATIO_MAX ? RATIO_MAX : ratio)) + LONG;
    bool is_odd = pace->n > WARM / 2 && ticks > most && !was_running(thread, ticks, most);
    if (pace->n == 0)
        pace->mean = ticks;
    else if (!is_odd)
        pace->mean += (ticks - pace->mean) / 8;
    if (!is_odd)
        pace->turns += ((int64_t)iterations - pace->turns) / 8;
    pace->n++;
    return is_odd ? 1 : weight;
}

/* What it takes to count an iteration, times HIERA_TIMED_FINE. */
IN_EVENT static int64_t turn_cost(const HieraTimedLoop *loop)
{
    return loop->step == 0 ? hiera_timed_costs.counter : loop->is_spare ? hiera_timed_costs.spare : 0;
}

/* Add what a thread has counted of a loop without an event, unless another loop has its numbers now. A signal may
 * interrupt this, and count as well. Of an activation that does not count nothing is added. */
IN_EVENT static void take_counts(HieraTimedThread *thread, uint32_t loop)
{
    HieraTimedPace *pace = &thread->paces[loop];
    HieraTimedSum *sum = &thread->loops[loop];
    int32_t down = *down_of(loop), n = (int32_t)((uint32_t)pace->gap - (uint32_t)down);
    uint64_t count = *count_of(loop);
    if (thread->owners[loop % HIERA_TIMED_SLOTS] != loop)
        return;
    n = n > 0 && n <= 2 * GAP_MAX ? n : 0; /* more: a signal has changed one of the two numbers */
    uint64_t scale = pace->scale;
    sum->executions += scale * (uint32_t)n;
    pace->since += (uint32_t)n;
    sum->unseen += pace->gap < 0 ? scale * (uint32_t)n : 0;
    pace->unseen += pace->gap < 0 ? scale * (uint32_t)n : 0;
    pace->gap = down;
    sum->iterations += scale * count;
    thread->quiet += 2 * n * hiera_timed_costs.quiet + (int64_t)count * turn_cost(&hiera_timed_loops[loop]);
    *count_of(loop) -= count;
}

/* Give a loop of an activation its numbers, which another one may have. What was counted meanwhile is that one's.
 * @param is_timed  an execution of it is in progress and timed */
IN_EVENT static void claim(HieraTimedThread *thread, uint32_t loop, bool is_timed)
{
    uint16_t *owner = &thread->owners[loop % HIERA_TIMED_SLOTS];
    if (*owner == loop)
        return;
    if (*owner != 0)
        take_counts(thread, *owner);
    *owner = (uint16_t)loop;
    *down_of(loop) = is_timed ? 0 : 1; /* what the other one counts down from is none of its own */
    thread->paces[loop].gap = *down_of(loop);
}

/* What was counted before belongs to no activation: the function was moved while one was in progress. */
IN_EVENT static void forget_counts(HieraTimedThread *thread, uint32_t loop)
{
    int32_t *down = down_of(loop);
    *count_of(loop) = 0;
    if (*down <= 0 && *down > INT32_MIN + 2 * GAP_MAX) /* siglongjmp has left an event of it; it is not hidden */
        *down = 1;
    thread->paces[loop].gap = *down_of(loop);
}

/* Whether executions of a loop are so short that to count them and their iterations takes more than a 20th. */
IN_EVENT static bool is_to_hide(const HieraTimedPace *pace, const HieraTimedLoop *loop)
{
    enum { PART = 20 };
    int64_t cost = 2 * hiera_timed_costs.quiet + pace->turns * turn_cost(loop);
    return loop->is_doubled && !pace->is_full && pace->mean * HIERA_TIMED_FINE < PART * cost;
}

/* From what to count down to the next execution that is timed. In the second copy of a loop it goes around then. */
IN_EVENT static int32_t next_down(HieraTimedThread *thread, uint32_t loop)
{
    const HieraTimedPace *pace = &thread->paces[loop];
    int32_t gap =
        next_gap(thread, pace,
                 hiera_timed_costs.kinds[HIERA_PLAN_LOOP_IN] + hiera_timed_costs.kinds[HIERA_PLAN_LOOP_OUT], GAP_MAX);
    return gap > 1 && is_to_hide(pace, &hiera_timed_loops[loop]) ? INT32_MIN + gap - 1 : gap;
}

/* Add calls of a function that had no event. A signal may interrupt this, as take_counts(). */
IN_EVENT static void take_calls(HieraTimedThread *thread, uint32_t function)
{
    HieraTimedPace *pace = &thread->activations[function];
    if (gate_of(function) == gate_of(0))
        return;
    int32_t gate = *gate_of(function), n = (int32_t)((uint32_t)pace->gap - (uint32_t)gate);
    n = n > 0 && n <= 2 * GATE_MOST ? n : 0;
    thread->functions[function].executions += (uint32_t)n;
    pace->since += (uint32_t)n;
    pace->gap = gate;
}

/* What it takes at least that executions of a function are timed in which an instruction counts iterations: by the code
 * around it and the processor, nothing, or an eighth of the time. No event measures that. */
IN_EVENT static int64_t least_cost(uint32_t function, int64_t ticks)
{
    enum { PART = 16 };
    HieraTimedFunction loops = loops_of(function);
    for (uint32_t i = loops.loop; i < loops.loop + loops.n_loops; i++)
        if (turn_cost(&hiera_timed_loops[i]) > 0)
            return ticks / PART;
    return 0;
}

/* From what to count down to the next call of a function that is timed; 0: all are, unless they are short and that
 * takes too much of the time of all calls: a hundredth, or of longer ones, which are fewer, a 25th. Not more than
 * GATE_MAX in the mean (twice if those that are timed take a quarter longer), so that calls are met that are seldom
 * long; but three of four times GATE_MOST if they take less than an event: their time is not known anyway, and the
 * fourth tells what is usual between calls. What a thread counts last is not added if it ends: it is a 16th of all at
 * most. */
IN_EVENT static int32_t next_gate(HieraTimedThread *thread, uint32_t function)
{
    enum { PART = 24, LONGER = LONG / 5 };
    const HieraTimedPace *pace = &thread->activations[function];
    int64_t share = pace->mean < LONGER ? 2 * SHARE : SHARE / 2, total = thread->functions[function].total;
    int64_t cost = least_cost(function, total), turns = least_cost(function, pace->mean);
    cost = cost > pace->cost ? cost : pace->cost;
    turns = turns > pace->turns ? turns : pace->turns;
    if (gate_of(function) == gate_of(0) || thread->recursive[function].left > 0 || thread->has_left.left > 0 ||
        pace->mean > LONG || share * cost <= total)
        return 0;
    bool is_brief = pace->mean < hiera_timed_costs.kinds[HIERA_PLAN_FUNCTION_IN];
    int64_t few = turns < pace->mean / 4 ? GATE_MAX : 2 * GATE_MAX;
    int64_t most = is_brief && (thread->random >> 8) % 4 != 0 ? GATE_MOST : few;
    int64_t part = (int64_t)(thread->functions[function].executions / PART);
    int32_t gap = next_gap(thread, pace, (WARM_UPS + 1) * turns * share / SHARE, part < most ? part : most);
    return gap <= 1 ? 0 : gap;
}

/* What an execution took, what of this the functions took that it called, and for how many executions it stands; by how
 * much the events in it, and the calls, may be wrong; how many calls. */
typedef struct Took {
    int64_t time, callees;
    uint32_t weight;
    uint64_t vague, call_doubt, call_spread, calls;
} Took;

IN_EVENT static void add_times(uint64_t *sum, uint64_t part, uint64_t times)
{
    uint64_t more;
    if (__builtin_mul_overflow(part, times, &more) || __builtin_add_overflow(*sum, more, sum))
        *sum = UINT64_MAX;
}

IN_EVENT static void add(HieraTimedSum *sum, const Took *took, bool is_inner)
{
    uint64_t time = took->time > 0 ? (uint64_t)took->time : 0;
    sum->least = sum->timed == 0 || time < sum->least ? time : sum->least;
    sum->most = time > sum->most ? time : sum->most;
    sum->timed++;
    sum->weight += took->weight;
    sum->inner += is_inner;
    sum->calls += is_inner ? 0 : took->calls * took->weight;
    sum->total += is_inner ? 0 : took->time * took->weight;
    sum->own += (took->time - took->callees) * took->weight;
    add_times(&sum->doubt, is_inner ? 0 : took->vague, took->weight);
    if (took->callees == 0)
        return;
    add_times(&sum->own_doubt, took->call_doubt, took->weight);
    add_times(&sum->own_spread, took->call_spread, (uint64_t)took->weight * took->weight);
}

/* Add to the square of the standard error what one of `weight` executions adds, which took `apart` more than the mean.
 * If that is out of proportion, or it counts as one alone, all it may stand for is in doubt, up to `most`. */
IN_EVENT static void add_spread(uint64_t *spread, uint64_t *doubt, int64_t apart, uint64_t weight, bool is_alone,
                                uint64_t most)
{
    const uint64_t apart_max = (uint64_t)1 << 30;
    uint64_t far = (apart < 0 ? (uint64_t)-apart : (uint64_t)apart) * weight;
    uint64_t square = far * (far - far / weight) / HIERA_TIMED_SPREAD;
    if (is_alone || far > apart_max)
        *doubt += far - far / weight < most ? far - far / weight : most;
    else
        add_times(spread, square, 1);
}

/* Add what differs between an activation, which stands for `scale` executions of its function, and others, which took
 * at most `span`. A copy that is seldom executed may be slower: the processor forgets which way its branches go. */
IN_EVENT static void settle_part(HieraTimedPace *pace, HieraTimedSum *sum, HieraTimedPart part, uint32_t scale,
                                 bool is_alone, uint64_t span)
{
    enum { SLOWER = 16 };
    int64_t time = part.time - pace->part.time, callees = part.callees - pace->part.callees,
            turns = part.turns - pace->part.turns;
    if (scale > 1)
        add_spread(&sum->spread, &sum->doubt, time, scale, is_alone, span);
    if (scale > 1 && callees != 0)
        add_spread(&sum->own_spread, &sum->own_doubt, callees, scale, is_alone, span);
    if (scale > 1 && turns != 0)
        add_spread(&sum->turn_spread, &sum->turn_doubt, turns, scale, is_alone, UINT64_MAX);
    if (is_alone)
        return;
    if (scale > 1)
        add_times(&sum->doubt, part.time > 0 ? (uint64_t)part.time / SLOWER : 0, scale);
    pace->part.time += time / 8;
    pace->part.callees += callees / 8;
    pace->part.turns += turns / 8;
}
