/* Processes an event: a copied function or its loop begins, calls, or ends. */
#include "timing_table.h"

#include <string.h>
#include <sys/syscall.h>

_Alignas(uint64_t) HieraTimedFunction hiera_timed_functions[HIERA_TIMED_FUNCTIONS];

HieraTimedThread *hiera_timed_threads;
uint64_t hiera_timed_homeless;

#ifdef __x86_64__

static HieraTimedThread nowhere; /* shared by the threads for which the table has no entry left */

__thread HieraTimedThread *hiera_timed_thread __attribute__((tls_model("initial-exec")));
__thread uint64_t hiera_timed_counters[HIERA_PLAN_LOOPS] __attribute__((tls_model("initial-exec")));

/* These functions use general registers only, since the program's vector registers are in use and not saved. */
#pragma GCC push_options
#pragma GCC target("general-regs-only")

#define IN_EVENT __attribute__((no_sanitize("address", "undefined", "thread"), no_instrument_function))

IN_EVENT static inline uint64_t read_ticks(void)
{
    return __builtin_ia32_rdtsc();
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
    thread->n_frames = thread->n_runs = thread->n_over = 0;
    thread->sequence &= ~1u;
    thread->is_busy = false;
    for (unsigned i = 0; i < HIERA_TIMED_FUNCTIONS; i++)
        thread->depths[i] = 0;
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
    }
    return hiera_timed_thread = found;
}

/* What an execution took, and what of this the functions took that it called. */
typedef struct Took {
    uint64_t time, callees, events, called_events;
} Took;

IN_EVENT static void add(HieraTimedSum *sum, const Took *took, bool is_inner)
{
    uint64_t time = took->time;
    sum->least = sum->executions == 0 || time < sum->least ? time : sum->least;
    sum->most = time > sum->most ? time : sum->most;
    sum->executions++;
    sum->inner += is_inner;
    sum->total += is_inner ? 0 : time;
    sum->own += time > took->callees ? time - took->callees : 0;
    sum->events += is_inner ? 0 : took->events;
    sum->own_events += took->events - took->called_events;
}

/* Return and reset the iteration counter of a loop in this thread. */
IN_EVENT static uint64_t take_count(uint32_t loop)
{
    uint64_t *counter = &hiera_timed_counters[loop % HIERA_PLAN_LOOPS], count = *counter;
    *counter = 0;
    return count;
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

IN_EVENT static void end_loop(HieraTimedThread *thread, HieraTimedFrame *frame, uint32_t loop, uint64_t now)
{
    HieraTimedRun *run = run_of(thread, frame, loop);
    if (!run->is_running)
        return;
    run->is_running = false;
    thread->loops[loop].iterations += take_count(loop);
    const Took took = {.time = now - run->start,
                       .callees = frame->callees - run->callees,
                       .events = frame->events - run->events,
                       .called_events = frame->called_events - run->called_events};
    add(&thread->loops[loop], &took, run->is_inner);
}

/* Remove the innermost activation of a function from the thread's stack of activations. */
IN_EVENT static void drop(HieraTimedThread *thread)
{
    const HieraTimedFrame *frame = &thread->frames[--thread->n_frames];
    thread->n_runs = frame->first_run;
    thread->depths[frame->function]--;
    if (thread->n_frames > 0) {
        thread->frames[thread->n_frames - 1].events += frame->events;
        thread->frames[thread->n_frames - 1].called_events += frame->events;
    }
}

IN_EVENT static void end_call(HieraTimedFrame *frame, uint64_t now)
{
    if (frame->call != 0)
        frame->callees += now - frame->call;
    frame->call = 0;
}

IN_EVENT static void begin_function(HieraTimedThread *thread, uint32_t function, uintptr_t stack)
{
    HieraTimedFunction loops = loops_of(function);
    if (thread->n_over > 0 || thread->n_frames == HIERA_TIMED_FRAMES ||
        thread->n_runs + loops.n_loops > HIERA_TIMED_RUNNING) {
        thread->over = thread->n_over++ == 0 ? stack : thread->over;
        thread->lost++;
        return;
    }
    HieraTimedFrame *frame = &thread->frames[thread->n_frames++];
    frame->stack = stack;
    frame->function = function;
    frame->first_run = thread->n_runs;
    frame->loops = loops;
    frame->callees = frame->call = frame->events = frame->called_events = 0;
    frame->is_inner = thread->depths[function]++ > 0;
    for (uint32_t i = 0; i < loops.n_loops; i++)
        thread->runs[thread->n_runs++].is_running = false;
    frame->start = read_ticks();
}

IN_EVENT static void end_function(HieraTimedThread *thread, HieraTimedFrame *frame, uint64_t now)
{
    end_call(frame, now);
    for (uint32_t i = 0; i < frame->loops.n_loops; i++)
        end_loop(thread, frame, frame->loops.loop + i, now);
    const Took took = {.time = now - frame->start,
                       .callees = frame->callees,
                       .events = frame->events,
                       .called_events = frame->called_events};
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

IN_EVENT static void begin_loop(HieraTimedThread *thread, HieraTimedFrame *frame, uint32_t loop)
{
    HieraTimedRun *run = run_of(thread, frame, loop);
    if (run->is_running)
        return;
    thread->loops[loop].iterations += take_count(loop); /* iterations so far belong to an outer activation */
    run->is_running = true;
    run->callees = frame->callees;
    run->events = frame->events;
    run->called_events = frame->called_events;
    run->is_inner = frame->is_inner && is_outside(thread, frame, loop);
    run->start = read_ticks();
}

/* End activations that a longjmp has left: they are further in than `stack`. The innermost one ends at its last call,
 * which led to the longjmp. */
IN_EVENT static void end_left(HieraTimedThread *thread, uintptr_t stack, uint64_t now)
{
    if (thread->n_over > 0 && thread->over < stack)
        thread->n_over = 0;
    for (bool is_first = true; thread->n_frames > 0 && thread->frames[thread->n_frames - 1].stack < stack;
         is_first = false) {
        HieraTimedFrame *frame = &thread->frames[thread->n_frames - 1];
        now = is_first && frame->call != 0 ? frame->call : now;
        end_function(thread, frame, now);
    }
}

IN_EVENT static bool belongs(const HieraTimedFrame *frame, HieraPlanEvent kind, uint32_t number)
{
    if (kind >= HIERA_PLAN_LOOP_IN)
        return number - frame->loops.loop < frame->loops.n_loops;
    return frame->function == number;
}

IN_EVENT static void tell(HieraTimedThread *thread, HieraPlanEvent kind, uint32_t number, uintptr_t stack, uint64_t now)
{
    if (kind == HIERA_PLAN_FUNCTION_IN) {
        begin_function(thread, number, stack);
        return;
    }
    if (thread->n_over > 0) {
        thread->n_over -= kind == HIERA_PLAN_FUNCTION_OUT;
        return;
    }
    HieraTimedFrame *frame = thread->n_frames > 0 ? &thread->frames[thread->n_frames - 1] : NULL;
    if (!frame || !belongs(frame, kind, number)) {
        thread->lost++; /* the function ran before it was copied, or runs on another stack */
        return;
    }
    frame->events++;
    switch (kind) {
    case HIERA_PLAN_FUNCTION_OUT:
        end_function(thread, frame, now);
        break;
    case HIERA_PLAN_CALL:
        frame->call = now;
        break;
    case HIERA_PLAN_BACK:
        end_call(frame, read_ticks());
        break;
    case HIERA_PLAN_LOOP_IN:
        end_call(frame, now);
        begin_loop(thread, frame, number);
        break;
    case HIERA_PLAN_LOOP_OUT:
        end_call(frame, now);
        end_loop(thread, frame, number, now);
        break;
    default:
        break;
    }
}

/* Process an event; called by the assembler code. `stack`: the program's stack pointer. A signal may interrupt it, and
 * its handler may cause events. */
IN_EVENT __attribute__((used, visibility("hidden"))) void hiera_timing_tell(uint32_t event, uintptr_t stack)
{
    uint64_t now = read_ticks();
    HieraTimedThread *thread = hiera_timed_thread;
    if (__builtin_expect(!thread, 0))
        thread = find_place();
    if (thread == &nowhere)
        return;
    if (thread->is_busy) {
        thread->lost++;
        return;
    }
    thread->is_busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&thread->sequence, thread->sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    end_left(thread, stack + (event % HIERA_PLAN_EVENTS == HIERA_PLAN_FUNCTION_IN), now);
    tell(thread, event % HIERA_PLAN_EVENTS, event / HIERA_PLAN_EVENTS, stack, now);
    __atomic_store_n(&thread->sequence, thread->sequence + 1, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->is_busy = false;
}

#pragma GCC pop_options

#endif
