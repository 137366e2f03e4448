/* Processes an event: a copied function or its loop begins, calls, or ends. */
#include "thread_number.h"
#include "timing_table.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

_Alignas(uint64_t) HieraTimedFunction hiera_timed_functions[HIERA_TIMED_FUNCTIONS];

HieraTimedLoop hiera_timed_loops[HIERA_TIMED_LOOPS];
HieraTimedCosts hiera_timed_costs;

uint32_t hiera_thread_numbers = 1;
__thread uint32_t hiera_thread_number __attribute__((tls_model("initial-exec")));

HieraTimedThread *hiera_timed_threads;
uint64_t hiera_timed_homeless;

#ifdef __x86_64__

static HieraTimedThread nowhere; /* shared by the threads for which the table has no entry left */

__thread HieraTimedThread *hiera_timed_thread __attribute__((tls_model("initial-exec")));
__thread HieraTimedLocals hiera_timed_locals __attribute__((tls_model("initial-exec")));

/* These functions use general registers only, since the program's vector registers are in use and not saved. */
#pragma GCC push_options
#pragma GCC target("general-regs-only")

#include "timing_counts.h"

/* The processor finishes what a loop has begun before it reads its counter: executions of loops may be short. */
IN_EVENT static inline int64_t read_ticks(HieraPlanEvent kind)
{
    if (kind >= HIERA_PLAN_LOOP_IN)
        __asm__ volatile("lfence" : : : "memory");
    return (int64_t)__builtin_ia32_rdtsc();
}

IN_EVENT static long call_kernel(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

IN_EVENT static bool has_ended(pid_t tid)
{
    enum { NO_SUCH_THREAD = -3 };
    return call_kernel(SYS_tgkill, call_kernel(SYS_getpid, 0, 0, 0), tid, 0) == NO_SUCH_THREAD;
}

IN_EVENT static HieraTimedThread *settle(HieraTimedThread *thread, pid_t old, pid_t tid)
{
    if (!__atomic_compare_exchange_n(&thread->tid, &old, tid, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return NULL;
    uint32_t number = tid == call_kernel(SYS_getpid, 0, 0, 0) ? 0 : hiera_thread_number_take();
    thread->number = old == 0 || thread->number == number ? number : HIERA_TIMED_SEVERAL;
    thread->n_frames = thread->n_runs = thread->n_over = 0;
    thread->sequence &= ~1u;
    thread->is_busy = false;
    for (unsigned i = 0; i < HIERA_TIMED_FUNCTIONS; i++)
        thread->depths[i] = 0;
    for (unsigned i = 0; i < HIERA_TIMED_LOOPS; i++)
        thread->paces[i].since = thread->paces[i].unseen = 0;
    for (unsigned i = 0; i < HIERA_TIMED_SLOTS; i++)
        thread->owners[i] = 0;
    return thread;
}

/* At a thread's first event: find an entry of the table of times for the thread. */
IN_EVENT static __attribute__((noinline)) HieraTimedThread *find_place(void)
{
    pid_t tid = (pid_t)call_kernel(SYS_gettid, 0, 0, 0);
    HieraTimedThread *found = NULL;
    for (unsigned i = 0; i < HIERA_TIMED_THREADS && !found; i++)
        found = __atomic_load_n(&hiera_timed_threads[i].tid, __ATOMIC_RELAXED) == 0
                    ? settle(&hiera_timed_threads[i], 0, tid)
                    : NULL;
    for (unsigned i = 0; i < HIERA_TIMED_THREADS && !found; i++) {
        pid_t other = __atomic_load_n(&hiera_timed_threads[i].tid, __ATOMIC_RELAXED);
        found = other == tid || has_ended(other) ? settle(&hiera_timed_threads[i], other, tid) : NULL;
    }
    if (!found) {
        __atomic_fetch_add(&hiera_timed_homeless, 1, __ATOMIC_RELAXED);
        found = &nowhere;
        for (unsigned i = 0; i < HIERA_TIMED_SLOTS; i++)
            hiera_timed_locals.down[i] = INT32_MAX;
        for (unsigned i = 0; i < HIERA_PLAN_SITES; i++)
            hiera_timed_locals.calls[i] = INT32_MAX;
    }
    return hiera_timed_thread = found;
}

/* Return first loop and number of loops of a function, read in one step, since another thread may set them. */
IN_EVENT static HieraTimedFunction loops_of(uint32_t function)
{
    HieraTimedFunction loops;
    __atomic_load(&hiera_timed_functions[function], &loops, __ATOMIC_RELAXED);
    return loops;
}

IN_EVENT static HieraTimedRun *run_of(HieraTimedThread *thread, const HieraTimedFrame *frame, uint32_t loop)
{
    return &thread->runs[frame->first_run + (loop - frame->loops.loop)];
}

IN_EVENT static void end_loop(HieraTimedThread *thread, HieraTimedFrame *frame, uint32_t loop, int64_t now)
{
    HieraTimedRun *run = run_of(thread, frame, loop);
    HieraTimedPace *pace = &thread->paces[loop];
    HieraTimedSum *sum = &thread->loops[loop];
    if (!run->is_running)
        return;
    run->is_running = false;
    take_counts(thread, loop);
    Took took = {
        now - run->start,           frame->callees - run->callees,       run->weight,
        thread->vague - run->vague, frame->call_doubt - run->call_doubt, frame->call_spread - run->call_spread};
    int64_t apart = took.time - pace->mean;
    uint64_t iterations = sum->iterations - run->iterations;
    took.weight = note_one(pace, took.time, iterations, run->weight);
    add(sum, &took, run->is_inner);
    if (run->weight > 1 && !run->is_inner)
        add_spread(&sum->spread, &sum->doubt, apart, run->weight, took.weight == 1);
    sum->iterations += iterations * run->unseen;
    sum->unseen -= run->unseen;
    sum->estimated += run->unseen;
    if (!run->is_inner)
        *down_of(loop) = pace->gap = next_down(thread, loop);
    pace->at = thread->functions[frame->function].total + (frame->is_inner ? 0 : now - frame->start);
}

IN_EVENT static void end_call(HieraTimedThread *thread, HieraTimedFrame *frame, int64_t now)
{
    HieraTimedPace *pace = &thread->calls[frame->site];
    if (frame->call_weight == 0)
        return;
    int64_t ticks = now - frame->call, others = frame->call_weight - 1, apart = ticks - pace->mean;
    uint64_t lap = (uint64_t)(ticks < 0 ? 0 : ticks < hiera_timed_costs.lap ? ticks : hiera_timed_costs.lap);
    bool is_one_of_all = note_one(pace, ticks, 0, frame->call_weight) == frame->call_weight;
    frame->callees += ticks + others * (is_one_of_all ? ticks : pace->mean);
    add_times(&frame->call_doubt, lap + thread->vague - frame->call_vague, frame->call_weight);
    if (others > 0)
        add_spread(&frame->call_spread, &frame->call_doubt, apart, frame->call_weight, !is_one_of_all);
    frame->call_weight = 0;
    pace->gap =
        next_gap(thread, pace, hiera_timed_costs.kinds[HIERA_PLAN_CALL] + hiera_timed_costs.kinds[HIERA_PLAN_BACK]);
    hiera_timed_locals.calls[frame->site] = thread->times_calls[frame->function] ? ALWAYS : pace->gap;
}

/* A call begins. In recursion the thread does not count down: a call that is timed is inside another one. */
IN_EVENT static void begin_call(HieraTimedThread *thread, HieraTimedFrame *frame, uint32_t site, int64_t now)
{
    bool is_due = hiera_timed_locals.calls[site] == 0 && thread->calls[site].gap > 0;
    frame->site = site;
    frame->call = now;
    frame->call_vague = thread->vague;
    frame->call_weight = is_due ? (uint32_t)thread->calls[site].gap : 1;
}

IN_EVENT static void time_calls(HieraTimedThread *thread, uint32_t function)
{
    thread->times_calls[function] = true;
    for (uint32_t i = 0; i < HIERA_PLAN_SITES; i++)
        hiera_timed_locals.calls[i] = thread->calls[i].gap = 0;
}

/* Time all executions of loops, and all calls, of a function that calls itself: only so it is known what is inside
 * what. */
IN_EVENT static void time_all(HieraTimedThread *thread, const HieraTimedFrame *frame)
{
    if (thread->is_recursive[frame->function])
        return;
    thread->is_recursive[frame->function] = true;
    time_calls(thread, frame->function);
    for (uint32_t i = frame->loops.loop; i < frame->loops.loop + frame->loops.n_loops; i++) {
        take_counts(thread, i);
        thread->paces[i].is_full = true;
        if (thread->paces[i].gap > 1 || thread->paces[i].gap < 0)
            *down_of(i) = thread->paces[i].gap = 1;
    }
}

/* An activation is the innermost one again. */
IN_EVENT static void claim_all(HieraTimedThread *thread, const HieraTimedFrame *frame)
{
    for (uint32_t i = 0; i < frame->loops.n_loops; i++)
        claim(thread, frame->loops.loop + i, thread->runs[frame->first_run + i].is_running);
}

IN_EVENT static void begin_function(HieraTimedThread *thread, uint32_t function, uintptr_t stack, int64_t now)
{
    HieraTimedFunction loops = loops_of(function);
    if (thread->n_over > 0 || thread->n_frames == HIERA_TIMED_FRAMES ||
        thread->n_runs + loops.n_loops > HIERA_TIMED_RUNNING) {
        thread->over = thread->n_over++ == 0 ? stack : thread->over;
        thread->lost++;
        return;
    }
    HieraTimedFrame *frame = &thread->frames[thread->n_frames];
    frame->stack = stack;
    frame->function = function;
    frame->first_run = thread->n_runs;
    frame->loops = loops;
    frame->callees = 0;
    frame->call_weight = 0;
    frame->vague = thread->vague;
    frame->call_doubt = frame->call_spread = 0;
    frame->is_inner = thread->depths[function]++ > 0;
    for (int i = 0; i < HIERA_PLAN_STARTS; i++)
        frame->starts[i] = hiera_timed_locals.starts[i];
    for (uint32_t i = 0; i < loops.n_loops; i++) {
        thread->runs[thread->n_runs++].is_running = false;
        claim(thread, loops.loop + i, false);
        if (!frame->is_inner)
            forget_counts(thread, loops.loop + i);
    }
    if (frame->is_inner)
        time_all(thread, frame);
    thread->functions[function].executions++;
    frame->start = now;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a frame that counts is whole: see leave_event() */
    thread->n_frames++;
}

/* Remove the innermost activation of a function from the thread's stack of activations. */
IN_EVENT static void drop(HieraTimedThread *thread)
{
    if (thread->n_frames == 0) /* a signal has interrupted this and ended all, which its handler had left */
        return;
    const HieraTimedFrame *frame = &thread->frames[--thread->n_frames];
    thread->n_runs = frame->first_run;
    thread->depths[frame->function] -= thread->depths[frame->function] > 0;
    for (int i = 0; i < HIERA_PLAN_STARTS; i++)
        hiera_timed_locals.starts[i] = frame->starts[i];
    if (thread->n_frames > 0 && frame->function != frame[-1].function)
        claim_all(thread, &frame[-1]);
    if (thread->n_frames > 0 && frame[-1].call_weight > 0) /* its end is told */
        hiera_timed_locals.calls[frame[-1].site] = 0;
}

IN_EVENT static void end_function(HieraTimedThread *thread, HieraTimedFrame *frame, int64_t now)
{
    end_call(thread, frame, now);
    for (uint32_t i = frame->loops.loop; i < frame->loops.loop + frame->loops.n_loops; i++) {
        end_loop(thread, frame, i, now);
        take_counts(thread, i);
    }
    const Took took = {now - frame->start,           frame->callees,    1,
                       thread->vague - frame->vague, frame->call_doubt, frame->call_spread};
    add(&thread->functions[frame->function], &took, frame->is_inner);
    drop(thread);
}

/* Whether a loop of an activation is being executed in an outer activation of the same function, too. */
IN_EVENT static bool is_outside(HieraTimedThread *thread, const HieraTimedFrame *inner, uint32_t loop)
{
    for (const HieraTimedFrame *frame = thread->frames; frame < inner; frame++)
        if (frame->function == inner->function && loop - frame->loops.loop < frame->loops.n_loops &&
            run_of(thread, frame, loop)->is_running)
            return true;
    return false;
}

/* Whether an execution that begins is to be timed. One of kind HIERA_PLAN_LOOP_DUE has been counted. */
IN_EVENT static bool is_due(HieraTimedThread *thread, HieraPlanEvent kind, uint32_t loop, bool is_running)
{
    if (kind == HIERA_PLAN_LOOP_HERE) {
        thread->paces[loop].is_full = true;
        if (is_running)
            return false;
    }
    int32_t *down = down_of(loop), before = *down;
    if (kind != HIERA_PLAN_LOOP_DUE)
        *down = (int32_t)((uint32_t)before - 1);
    return kind == HIERA_PLAN_LOOP_DUE || before <= 1;
}

IN_EVENT static void begin_loop(HieraTimedThread *thread, HieraTimedFrame *frame, HieraPlanEvent kind, uint32_t loop,
                                int64_t now)
{
    HieraTimedRun *run = run_of(thread, frame, loop);
    HieraTimedPace *pace = &thread->paces[loop];
    if (!is_due(thread, kind, loop, run->is_running) || run->is_running)
        return;
    bool is_seen = pace->gap >= 0;
    take_counts(thread, loop);
    if (!is_seen && pace->unseen > 0) { /* this one is counted */
        pace->unseen--;
        thread->loops[loop].unseen--;
    }
    if (*down_of(loop) > 0)
        *down_of(loop) = pace->gap = 0;
    run->is_running = true;
    run->weight = pace->since > 0 ? pace->since : 1;
    run->unseen = pace->unseen;
    pace->since = pace->unseen = 0;
    run->callees = frame->callees;
    run->vague = thread->vague;
    run->call_doubt = frame->call_doubt;
    run->call_spread = frame->call_spread;
    run->iterations = thread->loops[loop].iterations;
    run->is_inner = frame->is_inner && is_outside(thread, frame, loop);
    run->start = now;
}

/* A longjmp has left an activation at a call that was only counted, so nobody knows when. */
IN_EVENT static void doubt(HieraTimedThread *thread, const HieraTimedFrame *frame, int64_t now)
{
    thread->functions[frame->function].doubt += (uint64_t)(now - frame->start);
    for (uint32_t i = 0; i < frame->loops.n_loops; i++)
        if (thread->runs[frame->first_run + i].is_running)
            thread->loops[frame->loops.loop + i].doubt += (uint64_t)(now - thread->runs[frame->first_run + i].start);
    if (!thread->times_calls[frame->function])
        time_calls(thread, frame->function);
}

/* End activations that a longjmp has left: they are further in than `stack`. The innermost one ends at its last call,
 * which led to the longjmp. */
IN_EVENT static void end_left(HieraTimedThread *thread, uintptr_t stack, int64_t now)
{
    if (thread->n_over > 0 && thread->over < stack)
        thread->n_over = 0;
    for (bool is_first = true; thread->n_frames > 0 && thread->frames[thread->n_frames - 1].stack < stack;
         is_first = false) {
        HieraTimedFrame *frame = &thread->frames[thread->n_frames - 1];
        if (is_first && frame->call_weight == 0)
            doubt(thread, frame, now);
        now = is_first && frame->call_weight > 0 ? frame->call : now;
        end_function(thread, frame, now);
    }
}

/* An event is not processed: so that the next execution of a loop is not taken for one that is hidden, it is due. */
IN_EVENT static void pass_over(HieraTimedThread *thread, HieraPlanEvent kind, uint32_t loop, bool takes)
{
    uint32_t owner = thread->owners[loop % HIERA_TIMED_SLOTS];
    if (kind != HIERA_PLAN_LOOP_DUE || !hiera_timed_loops[loop].is_doubled)
        return;
    if (takes) /* not in a signal that has interrupted another event */
        take_counts(thread, owner);
    *down_of(loop) = thread->paces[owner].gap = 1;
}

IN_EVENT static bool belongs(const HieraTimedFrame *frame, HieraPlanEvent kind, uint32_t number)
{
    if (kind >= HIERA_PLAN_LOOP_IN)
        return number - frame->loops.loop < frame->loops.n_loops;
    return frame->function == number % HIERA_PLAN_SITE;
}

IN_EVENT static void tell(HieraTimedThread *thread, HieraPlanEvent kind, uint32_t number, uintptr_t stack, int64_t now)
{
    if (kind == HIERA_PLAN_FUNCTION_IN) {
        begin_function(thread, number, stack, now);
        return;
    }
    if (thread->n_over > 0) {
        thread->n_over -= kind == HIERA_PLAN_FUNCTION_OUT;
        pass_over(thread, kind, number, true);
        return;
    }
    HieraTimedFrame *frame = thread->n_frames > 0 ? &thread->frames[thread->n_frames - 1] : NULL;
    if (!frame || !belongs(frame, kind, number)) {
        thread->lost++; /* the function ran before it was copied, or runs on another stack */
        pass_over(thread, kind, number, true);
        return;
    }
    if (kind != HIERA_PLAN_CALL)
        end_call(thread, frame, now);
    if (kind == HIERA_PLAN_FUNCTION_OUT)
        end_function(thread, frame, now);
    else if (kind == HIERA_PLAN_CALL)
        begin_call(thread, frame, number / HIERA_PLAN_SITE, now);
    else if (kind == HIERA_PLAN_LOOP_OUT)
        end_loop(thread, frame, number, now);
    else if (kind >= HIERA_PLAN_LOOP_IN)
        begin_loop(thread, frame, kind, number, now);
}

/* Changes begin, or end. An event may have been left, so the sequence is made odd, and even again. */
IN_EVENT static void change(HieraTimedThread *thread, bool begins)
{
    if (begins) {
        thread->busy = (uintptr_t)__builtin_frame_address(0);
        thread->is_busy = true;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        __atomic_store_n(&thread->sequence, (thread->sequence + 1) | 1, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_RELEASE);
    } else {
        __atomic_store_n(&thread->sequence, (thread->sequence | 1) + 1, __ATOMIC_RELEASE);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        thread->is_busy = false;
    }
}

enum { MEMORY = 8 }; /* events: those before them count less */

/* Note what an event takes while nothing is taken off yet. One that was interrupted says nothing. */
IN_EVENT static void measure_first(HieraTimedCost *cost, int64_t ticks)
{
    int64_t fine = ticks * HIERA_TIMED_FINE;
    if (ticks > LONG)
        return;
    if (cost->mean == 0 || 2 * fine < cost->mean)
        cost->mean = (int32_t)fine;
    else if (fine < 2 * (int64_t)cost->mean)
        cost->mean += (int32_t)(fine - cost->mean) / MEMORY;
}

/* Measure, at its end, what an event took more than was taken off. What is before it and behind it cannot be measured:
 * an eighth is uncertain, and if the event took longer, half of what it took longer. */
IN_EVENT static __attribute__((noinline)) void measure_event(HieraTimedThread *thread, HieraTimedCost *cost,
                                                             HieraPlanEvent kind, int64_t begin, bool is_cold)
{
    enum { EVERY = 31, AN_EIGHTH = 8 };
    int64_t whole = hiera_timed_costs.kinds[kind];
    int64_t more = (int64_t)__builtin_ia32_rdtsc() - begin - hiera_timed_costs.inside[kind];
    int64_t vague = (more < 0 ? -more : more) / 2;
    thread->until = EVERY;
    if (hiera_timed_costs.inside[kind] == 0) {
        measure_first(cost, more);
        return;
    }
    if (!is_cold && more < whole && more > -whole) {
        int64_t apart = more * HIERA_TIMED_FINE - cost->mean;
        cost->mean += (int32_t)apart / MEMORY;
        cost->apart += ((int32_t)(apart < 0 ? -apart : apart) - cost->apart) / MEMORY;
    }
    cost->more = cost->mean / HIERA_TIMED_FINE;
    cost->vague = (uint32_t)(cost->apart / HIERA_TIMED_FINE + whole / AN_EIGHTH);
    thread->spent += more;
    thread->vague += (uint64_t)((vague < whole ? vague : whole) + whole / AN_EIGHTH);
}

/* Take off what an event took more than was taken off before it was processed. It is measured in place if the last
 * event was so long ago that memory may have become cold, or else now and then; others take what these take in their
 * function.
 */
IN_EVENT static inline void settle_event(HieraTimedThread *thread, HieraPlanEvent kind, uint32_t function,
                                         int64_t begin)
{
    enum { COLD = 5000 };
    HieraTimedCost *cost = &thread->costs[function][kind];
    bool is_cold = begin - thread->last > COLD;
    thread->last = begin;
    if (__builtin_expect(is_cold || --thread->until <= 0, 0)) {
        measure_event(thread, cost, kind, begin, is_cold);
        return;
    }
    thread->spent += cost->more;
    thread->vague += cost->vague;
}

/* The function to which an event belongs that has been processed. */
IN_EVENT static uint32_t function_of(const HieraTimedThread *thread, HieraPlanEvent kind, uint32_t number)
{
    if (kind < HIERA_PLAN_LOOP_IN)
        return number % HIERA_PLAN_SITE % HIERA_TIMED_FUNCTIONS;
    return thread->n_frames > 0 ? thread->frames[thread->n_frames - 1].function : 0;
}

/* Whether the event in progress has been left by siglongjmp: this one comes from further out on the same stack. A
 * handler of a signal that has interrupted it is further in, or has a stack of its own. */
IN_EVENT static __attribute__((noinline)) bool is_left(const HieraTimedThread *thread, uintptr_t stack)
{
    enum { NEAR = 1 << 20 };
    stack_t own = {.ss_flags = SS_ONSTACK};
    return stack > thread->busy && stack - thread->busy < NEAR &&
           call_kernel(SYS_sigaltstack, 0, (long)(uintptr_t)&own, 0) == 0 && (own.ss_flags & SS_ONSTACK) == 0;
}

/* An event has been left, perhaps as an activation began or ended. */
IN_EVENT static __attribute__((noinline)) void leave_event(HieraTimedThread *thread)
{
    for (unsigned i = 0; i < HIERA_TIMED_FUNCTIONS; i++)
        thread->depths[i] = 0;
    thread->n_runs = 0;
    for (uint32_t i = 0; i < thread->n_frames; i++) {
        thread->depths[thread->frames[i].function]++;
        thread->n_runs = thread->frames[i].first_run + thread->frames[i].loops.n_loops;
    }
    thread->lost++;
    thread->is_busy = false;
}

/* Process an event; called by the assembler code. `stack`: the program's stack pointer. A signal may interrupt it, and
 * its handler may cause events. */
IN_EVENT __attribute__((used, visibility("hidden"))) void hiera_timing_tell(uint32_t event, uintptr_t stack)
{
    HieraPlanEvent kind = event % HIERA_PLAN_EVENTS;
    int64_t ticks = read_ticks(kind);
    HieraTimedThread *thread = hiera_timed_thread;
    if (__builtin_expect(!thread, 0))
        thread = find_place();
    if (thread == &nowhere)
        return;
    if (thread->is_busy && is_left(thread, stack))
        leave_event(thread);
    if (thread->is_busy) {
        thread->lost++;
        pass_over(thread, kind, event / HIERA_PLAN_EVENTS, false);
        return;
    }
    change(thread, true);
    thread->spent += hiera_timed_costs.kinds[kind];
    end_left(thread, stack + (kind == HIERA_PLAN_FUNCTION_IN), ticks - thread->spent);
    tell(thread, kind, event / HIERA_PLAN_EVENTS, stack, ticks - thread->spent);
    settle_event(thread, kind, function_of(thread, kind, event / HIERA_PLAN_EVENTS), ticks);
    change(thread, false);
}

IN_EVENT void hiera_timing_note(void)
{
    HieraTimedThread *thread = hiera_timed_thread;
    if (!thread || thread == &nowhere || thread->is_busy)
        return;
    change(thread, true);
    for (uint32_t i = 0; i < thread->n_frames; i++)
        for (uint32_t j = 0; j < thread->frames[i].loops.n_loops; j++)
            take_counts(thread, thread->frames[i].loops.loop + j);
    change(thread, false);
}

#pragma GCC pop_options

#else

void hiera_timing_note(void)
{
}

#endif
