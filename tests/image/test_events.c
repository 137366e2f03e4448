/* What events of copies do to the table of times. */
#include "collector/loops/timed_tree.h"
#include "collector/loops/timing_table.h"
#include "dtd/plan.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

HieraTimedCosts hiera_timed_kept_costs;

static void tell(HieraPlanEvent kind, uint32_t number)
{
    hiera_timing_tell(number * HIERA_PLAN_EVENTS + kind, (uintptr_t)&number);
}

/* A function's number is used again while an activation is in progress, as when a library's functions are moved in
 * turn. */
START_TEST(activations_keep_their_loops)
{
    hiera_timed_functions[1] = (HieraTimedFunction){10, 2};
    tell(HIERA_PLAN_FUNCTION_IN, 1);
    tell(HIERA_PLAN_LOOP_IN, 11);
    hiera_timed_functions[1] = (HieraTimedFunction){20, 1};
    tell(HIERA_PLAN_LOOP_OUT, 11);
    tell(HIERA_PLAN_LOOP_IN, 10);
    tell(HIERA_PLAN_FUNCTION_OUT, 1);
    ck_assert_uint_eq(hiera_timing_function(1).executions, 1);
    ck_assert_uint_eq(hiera_timing_loop(10, 1).executions, 1);
    ck_assert_uint_eq(hiera_timing_loop(11, 1).executions, 1);
    ck_assert_uint_eq(hiera_timing_loop(20, 1).executions, 0);
    ck_assert_uint_eq(hiera_timing_lost(), 0);
    tell(HIERA_PLAN_FUNCTION_IN, 1);
    tell(HIERA_PLAN_LOOP_IN, 20);
    tell(HIERA_PLAN_FUNCTION_OUT, 1);
    ck_assert_uint_eq(hiera_timing_loop(20, 1).executions, 1);
}
END_TEST

static void tell_at(HieraPlanEvent kind, uint32_t number, uintptr_t stack)
{
    hiera_timing_tell(number * HIERA_PLAN_EVENTS + kind, stack);
}

static void expect_own_within(HieraTimedTotal timed)
{
    ck_assert_uint_gt(timed.own, 0);
    ck_assert_uint_ge(timed.total, timed.own);
}

/* Loop 12 runs only in the inner activation of a function that calls itself from loop 11: it has time all the same.
 * Loop 11 runs in both: the outer execution has the time of both. What is in progress counts. */
START_TEST(loops_of_recursion_have_their_own_time)
{
    enum { OUTER = 1 << 20, INNER = OUTER - 4096 };
    hiera_timed_functions[2] = (HieraTimedFunction){11, 2};
    tell_at(HIERA_PLAN_FUNCTION_IN, 2, OUTER);
    tell_at(HIERA_PLAN_LOOP_IN, 11, OUTER);
    tell_at(HIERA_PLAN_CALL, 2, OUTER);
    tell_at(HIERA_PLAN_FUNCTION_IN, 2, INNER);
    tell_at(HIERA_PLAN_LOOP_IN, 11, INNER);
    tell_at(HIERA_PLAN_LOOP_OUT, 11, INNER);
    tell_at(HIERA_PLAN_LOOP_IN, 12, INNER);
    for (int turn = 0; turn < 2; turn++) {
        HieraTimedTotal first = hiera_timing_loop(11, 2), second = hiera_timing_loop(12, 2),
                        function = hiera_timing_function(2);
        expect_own_within(first);
        expect_own_within(second);
        expect_own_within(function);
        ck_assert_uint_ge(function.total, first.total);
        ck_assert_uint_ge(function.total, second.total);
        ck_assert_uint_ge(function.own, first.own + second.own);
        ck_assert_uint_eq(function.inner, turn);
        if (turn > 0)
            break;
        tell_at(HIERA_PLAN_LOOP_OUT, 12, INNER);
        tell_at(HIERA_PLAN_FUNCTION_OUT, 2, INNER);
        tell_at(HIERA_PLAN_BACK, 2, OUTER);
        tell_at(HIERA_PLAN_FUNCTION_OUT, 2, OUTER);
    }
    ck_assert_uint_eq(hiera_timing_loop(11, 2).inner, 1);
    ck_assert_uint_eq(hiera_timing_loop(12, 2).inner, 0);
    ck_assert_uint_eq(hiera_timing_lost(), 0);
}
END_TEST

/* What copies do without an event: an execution is counted, and one of many told. */
static void execute_quietly(uint32_t loop)
{
    enum { STACK = 1 << 19 };
    if (--hiera_timed_locals.down[loop % HIERA_TIMED_SLOTS] <= 0)
        tell_at(HIERA_PLAN_LOOP_DUE, loop, STACK);
    hiera_timed_locals.counts[loop % HIERA_TIMED_SLOTS] += 6;
    if (hiera_timed_locals.down[loop % HIERA_TIMED_SLOTS] <= 0)
        tell_at(HIERA_PLAN_LOOP_OUT, loop, STACK);
}

/* Short executions are counted all, but few are timed; these stand for the others. No time has what the events took. */
START_TEST(short_executions_are_timed_one_of_many)
{
    enum { EXECUTIONS = 100000 };
    hiera_timing_calibrate();
    hiera_timed_functions[3] = (HieraTimedFunction){13, 1};
    hiera_timed_loops[13].step = 3;
    tell_at(HIERA_PLAN_FUNCTION_IN, 3, 1 << 19);
    for (int i = 0; i < EXECUTIONS; i++)
        execute_quietly(13);
    hiera_timing_note();
    ck_assert_uint_eq(hiera_timing_loop(13, 3).executions, EXECUTIONS);
    ck_assert_uint_eq(hiera_timing_function(3).open, 1);
    tell_at(HIERA_PLAN_FUNCTION_OUT, 3, 1 << 19);
    HieraTimedTotal loop = hiera_timing_loop(13, 3), function = hiera_timing_function(3);
    ck_assert_uint_eq(loop.executions, EXECUTIONS);
    ck_assert_uint_eq(loop.iterations, 2 * EXECUTIONS);
    ck_assert_uint_ge(loop.timed, 128);
    ck_assert_uint_lt(loop.timed, EXECUTIONS / 4);
    ck_assert_uint_ge(loop.uncertainty, (uint64_t)hiera_timed_costs.slack * EXECUTIONS);
    ck_assert_uint_eq(function.executions, 1);
    ck_assert_uint_eq(function.timed, 1);
    ck_assert_uint_gt(function.total, 0);
}
END_TEST

static void wait_for(uint64_t ticks)
{
    for (uint64_t since = __builtin_ia32_rdtsc(); __builtin_ia32_rdtsc() - since < ticks;)
        ;
}

/* Call a function whose loop is executed twice; behind its gate only some calls are told. @param ns  for how long one
 * that is told has no processor */
static void call_behind_gate(uint32_t function, uint32_t loop, long ns)
{
    if (--hiera_timed_locals.gates[function] > 0)
        return;
    tell_at(HIERA_PLAN_FUNCTION_IN, function, 1 << 19);
    execute_quietly(loop);
    execute_quietly(loop);
    if (ns > 0)
        nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
    tell_at(HIERA_PLAN_FUNCTION_OUT, function, 1 << 19);
}

/* One call is interrupted: it counts as one, and those that it would stand for are in doubt no longer than they took.
 */
static void interrupt_one(uint32_t function, uint32_t loop)
{
    enum { NS = 5000000 };
    while (hiera_timed_thread->activations[function].gap <= 1)
        call_behind_gate(function, loop, 0);
    HieraTimedTotal before = hiera_timing_function(function), after = before;
    uint64_t since = __builtin_ia32_rdtsc();
    while (after.timed == before.timed) {
        call_behind_gate(function, loop, NS);
        after = hiera_timing_function(function);
    }
    uint64_t took = __builtin_ia32_rdtsc() - since;
    ck_assert_uint_lt(after.total, before.total + 2 * took);
    ck_assert_uint_lt(after.uncertainty, before.uncertainty + 2 * took);
}

/* Calls of a function that takes less than its events are counted all, and those that are told stand for the others,
 * with their loops. If the function calls itself, what was told is in doubt, and the next calls are told all. */
START_TEST(short_functions_are_timed_one_of_many)
{
    enum { CALLS = 50000, FEW = 4000, FUNCTION = 12, LOOP = 40 };
    hiera_timing_calibrate();
    hiera_timed_functions[FUNCTION] = (HieraTimedFunction){LOOP, 1};
    hiera_timed_loops[LOOP].step = 3;
    for (int i = 0; i < CALLS; i++)
        call_behind_gate(FUNCTION, LOOP, 0);
    hiera_timing_note();
    HieraTimedTotal function = hiera_timing_function(FUNCTION), loop = hiera_timing_loop(LOOP, FUNCTION);
    ck_assert_uint_eq(function.executions, CALLS);
    ck_assert_uint_ge(function.timed, 128);
    ck_assert_uint_lt(function.timed, CALLS / 4);
    ck_assert_uint_ge(loop.executions, 2 * CALLS - 2);
    ck_assert_uint_le(loop.executions, 2 * CALLS);
    ck_assert_uint_ge(loop.iterations, 4 * CALLS - 4);
    ck_assert_uint_le(loop.iterations, 4 * CALLS);
    ck_assert_uint_lt(function.uncertainty, (uint64_t)CALLS * 1000);
    interrupt_one(FUNCTION, LOOP);
    hiera_timed_locals.gates[FUNCTION] = 1;
    tell_at(HIERA_PLAN_FUNCTION_IN, FUNCTION, 1 << 20);
    call_behind_gate(FUNCTION, LOOP, 0);
    tell_at(HIERA_PLAN_FUNCTION_OUT, FUNCTION, 1 << 20);
    HieraTimedTotal after = hiera_timing_function(FUNCTION);
    ck_assert_uint_eq(after.inner, 1);
    ck_assert_uint_ge(after.uncertainty, after.total);
    for (int i = 0; i < FEW; i++)
        call_behind_gate(FUNCTION, LOOP, 0);
    ck_assert_uint_eq(hiera_timing_function(FUNCTION).timed, after.timed + FEW);
    for (int i = 0; i < CALLS; i++)
        call_behind_gate(FUNCTION, LOOP, 0);
    ck_assert_uint_lt(hiera_timing_function(FUNCTION).timed, after.timed + CALLS / 2);
    ck_assert_uint_eq(hiera_timing_lost(), 0);
}
END_TEST

/* Call a function that waits in its one loop, and counts an iteration each 100 ticks. */
static void call_for(uint32_t function, uint32_t loop, uint64_t ticks)
{
    enum { STACK = 1 << 19, TURN = 100 };
    bool is_told = --hiera_timed_locals.gates[function] <= 0;
    int32_t *down = &hiera_timed_locals.down[loop % HIERA_TIMED_SLOTS];
    if (is_told)
        tell_at(HIERA_PLAN_FUNCTION_IN, function, STACK);
    if (is_told && --*down <= 0)
        tell_at(HIERA_PLAN_LOOP_DUE, loop, STACK);
    wait_for(ticks);
    if (is_told)
        hiera_timed_locals.counts[loop % HIERA_TIMED_SLOTS] += ticks / TURN;
    if (is_told && *down <= 0)
        tell_at(HIERA_PLAN_LOOP_OUT, loop, STACK);
    if (is_told)
        tell_at(HIERA_PLAN_FUNCTION_OUT, function, STACK);
}

static int64_t ns_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}

/* What other work has of the time of long calls is not in doubt, so it does not count here.
 * @param of  one of so many calls is long, and each behind the first ones, `short_ones`. */
static void expect_long_calls(uint32_t function, uint32_t loop, int short_ones, int long_ones, int of)
{
    enum { LONG = 1000000, SHORT = 20, TURN = 100 };
    uint64_t nominal = 0, ticks = __builtin_ia32_rdtsc();
    int64_t ns = ns_of(CLOCK_MONOTONIC), processor_ns = 0;
    for (int i = 0; i < short_ones + long_ones; i++) {
        bool is_long = i >= short_ones || i % of == of - 1;
        int64_t before = is_long ? ns_of(CLOCK_THREAD_CPUTIME_ID) : 0;
        nominal += is_long ? LONG : 0;
        call_for(function, loop, is_long ? LONG : SHORT);
        processor_ns += is_long ? ns_of(CLOCK_THREAD_CPUTIME_ID) - before : 0;
    }
    double pace = (double)(__builtin_ia32_rdtsc() - ticks) / (double)(ns_of(CLOCK_MONOTONIC) - ns);
    uint64_t whole = (uint64_t)(pace * (double)processor_ns);
    HieraTimedTotal total = hiera_timing_function(function), in_loop = hiera_timing_loop(loop, function);
    ck_assert_uint_ge(total.total + total.uncertainty, whole - whole / 3);
    ck_assert_uint_ge(in_loop.total + in_loop.uncertainty, whole - whole / 3);
    ck_assert_uint_le(in_loop.iterations, 70 * nominal / TURN);
    hiera_timing_note();
    ck_assert_uint_eq(hiera_timing_function(function).executions, (uint64_t)(short_ones + long_ones));
}

/* A function becomes long, or is seldom long, behind its gate: its time is told, or that it is uncertain, of its loop,
 * too. */
START_TEST(long_calls_behind_gates_are_told_or_uncertain)
{
    enum { LOOP = 50, FIRST = 14 };
    hiera_timing_calibrate();
    for (uint32_t i = 0; i < 4; i++)
        hiera_timed_functions[FIRST + i] = (HieraTimedFunction){LOOP + i, 1};
    expect_long_calls(FIRST, LOOP, 30000, 30, INT32_MAX);
    expect_long_calls(FIRST + 1, LOOP + 1, 30000, 300, INT32_MAX);
    expect_long_calls(FIRST + 2, LOOP + 2, 100000, 0, 5000);
    expect_long_calls(FIRST + 3, LOOP + 3, 20000, 0, 200);
}
END_TEST

/* Iterations that are estimated are told to within what they may be wrong, which is two standard errors. */
START_TEST(estimated_iterations_have_a_doubt)
{
    enum { LOOP = 58, FUNCTION = 22, CALLS = 30000, TURN = 100, MOST = 30 };
    hiera_timing_calibrate();
    hiera_timed_functions[FUNCTION] = (HieraTimedFunction){LOOP, 1};
    uint64_t iterations = 0;
    for (unsigned i = 0, number = 1; i < CALLS; i++) {
        number = number * 1664525 + 1013904223;
        uint64_t n = (number >> 16) % (i % 1000 == 7 ? MOST * MOST : MOST);
        iterations += n;
        call_for(FUNCTION, LOOP, n * TURN);
    }
    hiera_timing_note();
    HieraTimedTotal loop = hiera_timing_loop(LOOP, FUNCTION);
    ck_assert_uint_lt(loop.timed, CALLS / 2);
    ck_assert_uint_ne(loop.iterations, iterations);
    ck_assert_uint_le(loop.iterations, iterations + 2 * loop.in_doubt);
    ck_assert_uint_ge(loop.iterations + 2 * loop.in_doubt, iterations);
}
END_TEST

/* Calls that others followed, which are behind a gate, are in doubt up to the next look of the thread, not for the rest
 * of the run. */
START_TEST(a_look_ends_doubts)
{
    enum { LOOP = 56, FUNCTION = 20, CALLS = 30000, SHORT = 20, SOON = 25000000, REST = 200000000 };
    hiera_timing_calibrate();
    hiera_timed_functions[FUNCTION] = (HieraTimedFunction){LOOP, 1};
    uint64_t begin = __builtin_ia32_rdtsc();
    for (int i = 0; i < CALLS || hiera_timed_locals.gates[FUNCTION] <= 1; i++)
        call_for(FUNCTION, LOOP, SHORT);
    call_for(FUNCTION, LOOP, SHORT);
    wait_for(SOON);
    hiera_timing_look();
    uint64_t before = __builtin_ia32_rdtsc() - begin;
    wait_for(REST);
    ck_assert_uint_le(hiera_timing_function(FUNCTION).uncertainty, before + REST / 2);
}
END_TEST

/* Execute a loop so often that one of 40 takes as long as all others, with or without more iterations.
 * @return  what all took */
static uint64_t execute_tail(uint32_t loop, uint64_t iterations)
{
    enum { EXECUTIONS = 20000, STACK = 1 << 19, LONG = 500000, SHORT = 500 };
    uint64_t whole = 0;
    int32_t *down = &hiera_timed_locals.down[loop % HIERA_TIMED_SLOTS];
    for (int i = 0; i < EXECUTIONS; i++) {
        bool is_long = i % 40 == 39;
        if (--*down <= 0)
            tell_at(HIERA_PLAN_LOOP_DUE, loop, STACK);
        wait_for(is_long ? LONG : SHORT);
        whole += is_long ? LONG : 0;
        hiera_timed_locals.counts[loop % HIERA_TIMED_SLOTS] += is_long ? iterations : 1;
        if (*down <= 0)
            tell_at(HIERA_PLAN_LOOP_OUT, loop, STACK);
    }
    return whole;
}

/* Executions that take much longer than others count as what they are if they have more iterations. If not, an
 * interruption may have made them long: then they are said to be uncertain. */
START_TEST(long_executions_are_told_or_uncertain)
{
    hiera_timing_calibrate();
    hiera_timed_functions[4] = (HieraTimedFunction){14, 2};
    tell_at(HIERA_PLAN_FUNCTION_IN, 4, 1 << 19);
    uint64_t first = execute_tail(14, 1000), second = execute_tail(15, 1);
    tell_at(HIERA_PLAN_FUNCTION_OUT, 4, 1 << 19);
    HieraTimedTotal more = hiera_timing_loop(14, 4), same = hiera_timing_loop(15, 4);
    ck_assert_uint_ge(more.total, first / 2); /* that of a sample */
    ck_assert_uint_ge(more.total + more.uncertainty, first);
    ck_assert_uint_ge(same.total + 2 * same.uncertainty, second);
}
END_TEST

/* Two loops that share the numbers of a thread, one of a function that the other one's calls: each has its own counts.
 */
START_TEST(loops_that_share_numbers_keep_their_counts)
{
    enum { ONE = 20, OTHER = ONE + HIERA_TIMED_SLOTS, TURNS = 1000 };
    hiera_timed_functions[5] = (HieraTimedFunction){ONE, 1};
    hiera_timed_functions[6] = (HieraTimedFunction){OTHER, 1};
    tell_at(HIERA_PLAN_FUNCTION_IN, 5, 1 << 20);
    for (int i = 0; i < TURNS; i++) {
        if (--hiera_timed_locals.down[ONE] <= 0)
            tell_at(HIERA_PLAN_LOOP_DUE, ONE, 1 << 20);
        hiera_timed_locals.counts[ONE] += 3;
        tell_at(HIERA_PLAN_FUNCTION_IN, 6, 1 << 19);
        execute_quietly(OTHER);
        execute_quietly(OTHER);
        hiera_timing_note();
        tell_at(HIERA_PLAN_FUNCTION_OUT, 6, 1 << 19);
        hiera_timed_locals.counts[ONE] += 4;
        if (hiera_timed_locals.down[ONE] <= 0)
            tell_at(HIERA_PLAN_LOOP_OUT, ONE, 1 << 20);
    }
    tell_at(HIERA_PLAN_FUNCTION_OUT, 5, 1 << 20);
    HieraTimedTotal one = hiera_timing_loop(ONE, 5), other = hiera_timing_loop(OTHER, 6);
    ck_assert_uint_eq(one.executions, TURNS);
    ck_assert_uint_eq(one.iterations, 7 * TURNS);
    ck_assert_uint_eq(other.executions, 2 * TURNS);
    ck_assert_uint_eq(other.iterations, 12 * TURNS);
    ck_assert_uint_ge(hiera_timing_function(5).total, one.total);
    ck_assert_uint_eq(hiera_timing_lost(), 0);
}
END_TEST

enum { COUNTED = 7 }; /* iterations of an execution that counts them */

/* As copies with a second one: an execution that is hidden tells nothing, nor is it timed. */
static void execute_hidden(uint32_t loop, uint64_t ticks)
{
    enum { STACK = 1 << 19 };
    int32_t *down = &hiera_timed_locals.down[loop % HIERA_TIMED_SLOTS], before = *down;
    *down = (int32_t)((uint32_t)before - 1);
    bool is_second = *down >= 0;
    if (is_second && before <= 1)
        tell_at(HIERA_PLAN_LOOP_DUE, loop, STACK);
    wait_for(ticks);
    hiera_timed_locals.counts[loop % HIERA_TIMED_SLOTS] += is_second ? COUNTED : 0;
    if (is_second && *down <= 0)
        tell_at(HIERA_PLAN_LOOP_OUT, loop, STACK);
}

/* Executions that count nothing have as many iterations as others, whatever the calls stand for in which they are. */
START_TEST(hidden_iterations_are_those_of_others)
{
    enum { LOOP = 60, FUNCTION = 24, CALLS = 300000, STACK = 1 << 19, PART = 100 };
    hiera_timing_calibrate();
    hiera_timed_costs.quiet = 4 * HIERA_TIMED_FINE; /* so that they are hidden on any processor */
    hiera_timed_functions[FUNCTION] = (HieraTimedFunction){LOOP, 1};
    hiera_timed_loops[LOOP] = (HieraTimedLoop){.step = 1, .is_doubled = true};
    for (int i = 0; i < CALLS; i++) {
        if (--hiera_timed_locals.gates[FUNCTION] > 0)
            continue;
        tell_at(HIERA_PLAN_FUNCTION_IN, FUNCTION, STACK);
        execute_hidden(LOOP, 0);
        execute_hidden(LOOP, 0);
        tell_at(HIERA_PLAN_FUNCTION_OUT, FUNCTION, STACK);
    }
    hiera_timing_note();
    HieraTimedTotal loop = hiera_timing_loop(LOOP, FUNCTION);
    uint64_t iterations = (uint64_t)2 * CALLS * COUNTED;
    ck_assert_uint_gt(loop.estimated, CALLS);
    ck_assert_uint_ge(loop.iterations, iterations - iterations / PART);
    ck_assert_uint_le(loop.iterations, iterations + iterations / PART);
}
END_TEST

/* When events of a loop are lost, it is not hidden for ever. One that has the numbers of another loop is timed at once.
 * What executions took that came after the last one that was timed is uncertain. */
START_TEST(no_time_of_loops_is_hidden)
{
    enum { LOOP = 30, OTHER = LOOP + HIERA_TIMED_SLOTS, STACK = 1 << 19, LONG = 5000000 };
    hiera_timing_calibrate();
    hiera_timed_functions[9] = (HieraTimedFunction){LOOP, 1};
    hiera_timed_functions[10] = (HieraTimedFunction){OTHER, 1};
    hiera_timed_loops[LOOP].is_doubled = true;
    tell_at(HIERA_PLAN_FUNCTION_IN, 9, STACK);
    execute_hidden(LOOP, 1);
    tell_at(HIERA_PLAN_FUNCTION_OUT, 9, STACK);
    execute_hidden(LOOP, 1); /* its activation is not known */
    ck_assert_uint_eq(hiera_timing_lost(), 1);
    tell_at(HIERA_PLAN_FUNCTION_IN, 9, STACK);
    execute_hidden(LOOP, LONG);
    ck_assert_uint_eq(hiera_timing_loop(LOOP, 9).timed, 2);
    hiera_timed_locals.down[LOOP] = hiera_timed_thread->paces[LOOP].gap = 1000;
    for (int i = 0; i < 10; i++)
        execute_hidden(LOOP, LONG);
    hiera_timing_note();
    ck_assert_uint_ge(hiera_timing_loop(LOOP, 9).uncertainty, 5 * LONG);
    tell_at(HIERA_PLAN_FUNCTION_OUT, 9, STACK);
    ck_assert_uint_ge(hiera_timing_loop(LOOP, 9).uncertainty, 5 * LONG);
    tell_at(HIERA_PLAN_FUNCTION_IN, 10, STACK);
    execute_hidden(OTHER, LONG);
    tell_at(HIERA_PLAN_FUNCTION_OUT, 10, STACK);
    ck_assert_uint_eq(hiera_timing_loop(OTHER, 10).timed, 1);
    ck_assert_uint_ge(hiera_timing_loop(OTHER, 10).total, LONG);
    hiera_timed_thread->loops[OTHER].doubt = UINT64_MAX;
    ck_assert_uint_ge(hiera_timing_loop(OTHER, 10).uncertainty, (uint64_t)1 << 50);
}
END_TEST

/* A handler of a signal that has interrupted an event tells nothing. When siglongjmp has left the event, all goes on.
 */
START_TEST(events_that_are_left_end)
{
    enum { STACK = 1 << 19, APART = 4096 };
    hiera_timed_functions[12] = (HieraTimedFunction){16, 0};
    tell_at(HIERA_PLAN_FUNCTION_IN, 12, STACK);
    tell_at(HIERA_PLAN_FUNCTION_OUT, 12, STACK);
    for (int is_left = 0; is_left < 2; is_left++) {
        hiera_timed_thread->is_busy = true;
        hiera_timed_thread->sequence |= 1;
        hiera_timed_thread->depths[12] += is_left; /* as if its end had been left */
        hiera_timed_thread->busy = is_left ? STACK - APART : STACK + APART;
        tell_at(HIERA_PLAN_FUNCTION_IN, 12, STACK);
        tell_at(HIERA_PLAN_FUNCTION_OUT, 12, STACK);
        ck_assert_uint_eq(hiera_timed_thread->functions[12].executions, 1 + is_left);
    }
    ck_assert(!hiera_timed_thread->is_busy);
    ck_assert_uint_eq(hiera_timed_thread->functions[12].inner, 0);
    ck_assert_uint_eq(hiera_timed_thread->sequence % 2, 0);
    ck_assert_uint_eq(hiera_timing_lost(), 3);
}
END_TEST

static void *execute_once(void *ticks)
{
    tell_at(HIERA_PLAN_FUNCTION_IN, 11, 1 << 19);
    wait_for((uintptr_t)ticks);
    tell_at(HIERA_PLAN_FUNCTION_OUT, 11, 1 << 19);
    return NULL;
}

/* Of more threads than there is room for, those that took longest are told. */
START_TEST(threads_that_took_longest_are_told)
{
    enum { MORE = HIERA_TIMED_SHARES + 6, LONG = 10000000 };
    HieraTimedShare shares[HIERA_TIMED_SHARES];
    uint64_t most = 0;
    hiera_timing_calibrate();
    hiera_timed_functions[11] = (HieraTimedFunction){16, 0};
    for (int i = 0; i < MORE; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, execute_once, (void *)(uintptr_t)(i < MORE - 1 ? 1000 : LONG));
        pthread_join(thread, NULL);
    }
    ck_assert_uint_eq(hiera_timing_shares(0, 11, shares), HIERA_TIMED_SHARES);
    for (int i = 0; i < HIERA_TIMED_SHARES; i++)
        most = shares[i].total > most ? shares[i].total : most;
    ck_assert_uint_ge(most, LONG);
    ck_assert_uint_eq(most, hiera_timing_function(11).most_of_thread);
}
END_TEST

static void *execute_half(void *nothing)
{
    tell_at(HIERA_PLAN_FUNCTION_IN, 13, 1 << 19);
    return nothing;
}

/* longjmp has left a function, and then the thread has ended. */
START_TEST(functions_end_with_their_thread)
{
    enum { LONG = 5000000 };
    pthread_t thread;
    hiera_timed_functions[13] = (HieraTimedFunction){16, 0};
    pthread_create(&thread, NULL, execute_half, NULL);
    pthread_join(thread, NULL);
    wait_for(LONG);
    ck_assert_uint_eq(hiera_timing_function(13).open, 1);
    ck_assert_uint_lt(hiera_timing_function(13).total, LONG);
}
END_TEST

enum { CROWD = 700 };
static pthread_barrier_t all_there;

static void *execute_in_crowd(void *nothing)
{
    execute_once(NULL);
    pthread_barrier_wait(&all_there);
    execute_once(NULL);
    return nothing;
}

/* More threads at once than have entries of their own from the start: none is left out. */
START_TEST(all_threads_of_many_are_timed)
{
    pthread_t threads[CROWD];
    pthread_attr_t small;
    hiera_timed_functions[11] = (HieraTimedFunction){16, 0};
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    pthread_barrier_init(&all_there, NULL, CROWD);
    ck_assert_int_gt(CROWD, HIERA_TIMED_FRESH);
    for (int i = 0; i < CROWD; i++)
        ck_assert_int_eq(pthread_create(&threads[i], &small, execute_in_crowd, NULL), 0);
    for (int i = 0; i < CROWD; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(hiera_timing_function(11).executions, 2 * CROWD);
    ck_assert_uint_eq(hiera_timing_function(11).n_threads, CROWD);
    ck_assert_uint_eq(hiera_timing_lost(), 0);
}
END_TEST

enum { SHORT_CALLS = 5000, SHORT_TICKS = 2000 };

static void *call_short_ones(void *nothing)
{
    for (int i = 0; i < SHORT_CALLS; i++)
        call_for(12, 40, SHORT_TICKS);
    return nothing;
}

/* Threads that have the same entry, one after the other: an estimate is not longer than the time of all of them, and
 * not that of the last one. */
START_TEST(estimates_fit_into_the_time_of_all_threads)
{
    enum { THREADS = 4 };
    pthread_t thread;
    hiera_timing_calibrate();
    hiera_timed_functions[11] = (HieraTimedFunction){16, 0};
    hiera_timed_functions[12] = (HieraTimedFunction){40, 1};
    uint64_t since = __builtin_ia32_rdtsc();
    for (int i = 0; i < HIERA_TIMED_FRESH + THREADS; i++) {
        ck_assert_int_eq(pthread_create(&thread, NULL, i < HIERA_TIMED_FRESH ? execute_once : call_short_ones, NULL),
                         0);
        pthread_join(thread, NULL);
    }
    HieraTimedTotal all = hiera_timing_function(12);
    ck_assert_uint_gt(all.executions, all.timed);
    ck_assert_uint_ge(all.total + all.uncertainty / 8, (uint64_t)THREADS * SHORT_CALLS * SHORT_TICKS * 2 / 3);
    ck_assert_uint_le(all.total, __builtin_ia32_rdtsc() - since);
}
END_TEST

/* A call at site 1 that returns, unless a longjmp leaves it. */
static void call_quietly(uint32_t function, bool returns, uintptr_t stack)
{
    int32_t *down = &hiera_timed_locals.calls[1];
    if (--*down <= 0)
        tell_at(HIERA_PLAN_CALL, HIERA_PLAN_SITE + function, stack);
    if (returns && *down <= 0)
        tell_at(HIERA_PLAN_BACK, function, stack);
}

/* A function that a longjmp leaves ends at its last call. If that was only counted, nobody knows when it was; from then
 * on all are timed. */
START_TEST(what_longjmp_leaves_ends_at_its_call)
{
    enum { CALLS = 1000, STACK = 1 << 20, INNER = 1 << 19, LONG = 5000000 };
    hiera_timing_calibrate();
    hiera_timed_functions[7] = hiera_timed_functions[8] = (HieraTimedFunction){16, 0};
    tell_at(HIERA_PLAN_FUNCTION_IN, 8, STACK);
    for (int turn = 0; turn < 3; turn++) {
        tell_at(HIERA_PLAN_FUNCTION_IN, 7, INNER);
        for (int i = 0; i < CALLS; i++)
            call_quietly(7, true, INNER);
        if (turn == 0)
            hiera_timed_locals.calls[1] = 2;
        call_quietly(7, false, INNER);
        wait_for(LONG);
        tell_at(HIERA_PLAN_CALL, 8, STACK);
        tell_at(HIERA_PLAN_BACK, 8, STACK);
        HieraTimedTotal left = hiera_timing_function(7);
        ck_assert_uint_eq(left.executions, turn + 1);
        ck_assert_uint_lt(left.total, 2 * LONG + left.uncertainty);
        ck_assert_uint_ge(left.uncertainty, LONG);
    }
    tell_at(HIERA_PLAN_FUNCTION_OUT, 8, STACK);
}
END_TEST

/* Of times that are estimated, those inside may be more than those around. */
START_TEST(loops_fit_into_what_is_around_them)
{
    static const struct {
        HieraPlan plan;
        HieraPlanFunction function;
        HieraPlanLoop loops[3];
    } all = {.plan = {.functions = {sizeof(HieraPlan), 1}, .loops = {sizeof(HieraPlan) + sizeof(HieraPlanFunction), 3}},
             .function = {.n_loops = 3},
             .loops = {{.parent = HIERA_PLAN_NO_LOOP, .step = 8}, {.parent = 0, .step = 1}, {.parent = 0}}};
    HieraTimedTree tree = {.function = {.executions = 1, .total = 1000, .own = 900, .most_of_thread = 1000},
                           .loops = {{.executions = 10, .total = 1200, .own = 1100, .most_of_thread = 1200},
                                     {.executions = 1000, .total = 900, .own = 900},
                                     {.executions = 1000, .iterations = 7, .total = 300, .own = 100}}};
    hiera_timed_kept_costs.quiet = HIERA_TIMED_FINE / 10;
    hiera_timed_kept_costs.counter = 5 * HIERA_TIMED_FINE;
    hiera_timed_tree(&all.plan, 0, &tree);
    ck_assert_uint_eq(tree.function.total, 1000 - 2010 / 16);
    ck_assert_uint_eq(tree.loops[0].total, tree.function.total);
    ck_assert_uint_eq(tree.loops[0].own, tree.function.own);
    ck_assert_uint_le(tree.loops[0].most_of_thread, tree.loops[0].total);
    ck_assert_uint_le(tree.loops[1].total + tree.loops[2].total, tree.loops[0].total);
    ck_assert_uint_ge(tree.loops[1].total + tree.loops[2].total + 2, tree.loops[0].total);
    ck_assert_uint_le(tree.loops[1].own + tree.loops[2].own, tree.loops[0].own);
    ck_assert_uint_le(tree.loops[1].own, tree.loops[1].total);
    ck_assert_uint_eq(tree.loops[1].uncertainty, 0);
    ck_assert_uint_eq(tree.loops[2].uncertainty, 35); /* an instruction counts its 7 iterations */
    ck_assert_uint_eq(tree.loops[0].uncertainty, 2000 / 16 / 2 + 35);
    ck_assert_uint_eq(tree.function.uncertainty, 2010 / 16 / 2 + 35);
}
END_TEST

/* The search looks into a loop that may be a bottleneck: also if its time is below the share, but not with its
 * uncertainty. */
START_TEST(loops_that_may_be_bottlenecks_are_looked_into)
{
    static const struct {
        HieraPlan plan;
        HieraPlanLoop loops[2];
    } all = {.plan = {.loops = {sizeof(HieraPlan), 2}},
             .loops = {{.parent = HIERA_PLAN_NO_LOOP, .is_timed = 1}, {.parent = 0}}};
    HieraTimedTree tree = {.function = {.total = 1000000}, .loops = {{.executions = 10, .total = 190000}}};
    ck_assert(!hiera_timed_tree_goes_deeper(&all.plan, &tree, 20, 1000));
    tree.loops[0].uncertainty = 9999;
    ck_assert(!hiera_timed_tree_goes_deeper(&all.plan, &tree, 20, 1000));
    tree.loops[0].uncertainty = 10000;
    ck_assert(hiera_timed_tree_goes_deeper(&all.plan, &tree, 20, 1000));
    ck_assert(hiera_timed_tree_goes_deeper(&all.plan, &tree, 20, 20000));
    ck_assert(!hiera_timed_tree_goes_deeper(&all.plan, &tree, 20, 20001));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *tcase = tcase_create("events");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, activations_keep_their_loops);
    tcase_add_test(tcase, loops_of_recursion_have_their_own_time);
    tcase_add_test(tcase, short_executions_are_timed_one_of_many);
    tcase_add_test(tcase, short_functions_are_timed_one_of_many);
    tcase_add_test(tcase, long_calls_behind_gates_are_told_or_uncertain);
    tcase_add_test(tcase, long_executions_are_told_or_uncertain);
    tcase_add_test(tcase, loops_that_share_numbers_keep_their_counts);
    tcase_add_test(tcase, no_time_of_loops_is_hidden);
    tcase_add_test(tcase, a_look_ends_doubts);
    tcase_add_test(tcase, hidden_iterations_are_those_of_others);
    tcase_add_test(tcase, estimated_iterations_have_a_doubt);
    tcase_add_test(tcase, events_that_are_left_end);
    tcase_add_test(tcase, threads_that_took_longest_are_told);
    tcase_add_test(tcase, all_threads_of_many_are_timed);
    tcase_add_test(tcase, estimates_fit_into_the_time_of_all_threads);
    tcase_add_test(tcase, functions_end_with_their_thread);
    tcase_add_test(tcase, what_longjmp_leaves_ends_at_its_call);
    tcase_add_test(tcase, loops_fit_into_what_is_around_them);
    tcase_add_test(tcase, loops_that_may_be_bottlenecks_are_looked_into);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
