/* Processes an event: a copied function or its loop begins, calls, or ends. */
#include "thread_number.h"
#include "timing_table.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

_Alignas(uint64_t) HieraTimedFunction hiera_timed_functions[HIERA_TIMED_FUNCTIONS];

HieraTimedLoop hiera_timed_loops[HIERA_TIMED_LOOPS];
HieraTimedCosts hiera_timed_costs;

uint32_t hiera_thread_numbers = 1;
__thread uint32_t hiera_thread_number __attribute__((tls_model("initial-exec")));

HieraTimedThread *hiera_timed_threads[HIERA_TIMED_THREADS];
uint64_t hiera_timed_homeless;

#ifdef __x86_64__

static HieraTimedThread nowhere; /* shared by the threads for which the table has no entry left */

__thread HieraTimedThread *hiera_timed_thread __attribute__((tls_model("initial-exec")));
__thread HieraTimedLocals hiera_timed_locals __attribute__((tls_model("initial-exec")));

/* These functions use general registers only, since the program's vector registers are in use and not saved. */
#pragma GCC push_options
#pragma GCC target("general-regs-only")

#include "timing_activations.h"

/* The processor finishes what a loop has begun before it reads its counter: executions of loops may be short. */
IN_EVENT static inline int64_t read_ticks(HieraPlanEvent kind)
{
    if (kind >= HIERA_PLAN_LOOP_IN)
        __asm__ volatile("lfence" : : : "memory");
    return (int64_t)__builtin_ia32_rdtsc();
}

IN_EVENT static bool has_ended(pid_t tid)
{
    enum { NO_SUCH_THREAD = -3 };
    return call_kernel(SYS_tgkill, call_kernel(SYS_getpid, 0, 0, 0), tid, 0) == NO_SUCH_THREAD;
}

/* Forget what the thread was doing that had an entry before. */
IN_EVENT static void forget(HieraTimedThread *thread)
{
    thread->n_frames = thread->n_runs = thread->n_over = thread->gated = 0;
    thread->sequence &= ~1u;
    thread->is_busy = false;
    thread->has_left = (HieraTimedCase){.left = 0};
    for (unsigned i = 0; i < HIERA_TIMED_FUNCTIONS; i++) {
        HieraTimedPace *pace = &thread->activations[i];
        if (pace->gap > 1) {
            int64_t ticks = (int64_t)__builtin_ia32_rdtsc() - thread->spent - thread->hidden[i].until;
            add_hidden(&thread->hidden[i], ticks);
            thread->hidden[i].room += ticks;
        }
        thread->hidden[i].until = thread->hidden[i].usual = 0;
        pace->gap = 0;
        pace->since = pace->n = pace->warm = thread->hidden[i].known = 0;
        thread->depths[i] = 0;
    }
    for (unsigned i = 0; i < HIERA_TIMED_LOOPS; i++)
        thread->paces[i].since = thread->paces[i].unseen = 0;
    for (unsigned i = 0; i < HIERA_TIMED_SLOTS; i++)
        thread->owners[i] = 0;
}

/* Give an entry to a thread. Nothing is written into a new one that it does not need: so its pages take no memory. */
IN_EVENT static HieraTimedThread *settle(HieraTimedThread *thread, pid_t old, pid_t tid)
{
    if (!__atomic_compare_exchange_n(&thread->tid, &old, tid, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return NULL;
    uint32_t number = tid == call_kernel(SYS_getpid, 0, 0, 0) ? 0 : hiera_thread_number_take();
    thread->number = old == 0 || thread->number == number ? number : HIERA_TIMED_SEVERAL;
    if (old != 0)
        forget(thread);
    return thread;
}

/* Make an entry of the table. @return  it, or that which another thread has made; NULL: there is no memory */
IN_EVENT static HieraTimedThread *make_place(unsigned i)
{
    HieraTimedThread *none = NULL, *made;
    register long flags __asm__("r10") = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    register long file __asm__("r8") = -1, from __asm__("r9") = 0;
    __asm__ volatile("syscall"
                     : "=a"(made)
                     : "a"(SYS_mmap), "D"(0), "S"(sizeof *made), "d"(PROT_READ | PROT_WRITE), "r"(flags), "r"(file),
                       "r"(from)
                     : "rcx", "r11", "memory");
    if ((uintptr_t)made > (uintptr_t)-4096)
        return NULL;
    if (__atomic_compare_exchange_n(&hiera_timed_threads[i], &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    call_kernel(SYS_munmap, (long)(uintptr_t)made, sizeof *made, 0);
    return none;
}

/* Make an entry behind the last one, of `n` at most. */
IN_EVENT static HieraTimedThread *take_new(unsigned n, pid_t tid)
{
    HieraTimedThread *found = NULL;
    for (unsigned i = 0; i < n && !found; i++) {
        HieraTimedThread *made = __atomic_load_n(&hiera_timed_threads[i], __ATOMIC_ACQUIRE);
        if (!made && !(made = make_place(i)))
            return NULL;
        found = __atomic_load_n(&made->tid, __ATOMIC_RELAXED) == 0 ? settle(made, 0, tid) : NULL;
    }
    return found;
}

IN_EVENT static HieraTimedThread *take_over(pid_t tid)
{
    HieraTimedThread *found = NULL, *other;
    for (unsigned i = 0; i < HIERA_TIMED_THREADS && !found; i++) {
        if (!(other = __atomic_load_n(&hiera_timed_threads[i], __ATOMIC_ACQUIRE)))
            return NULL;
        pid_t owner = __atomic_load_n(&other->tid, __ATOMIC_RELAXED);
        found = owner == tid || has_ended(owner) ? settle(other, owner, tid) : NULL;
    }
    return found;
}

/* At a thread's first event: find an entry of the table of times for the thread. */
IN_EVENT static __attribute__((noinline)) HieraTimedThread *find_place(void)
{
    pid_t tid = (pid_t)call_kernel(SYS_gettid, 0, 0, 0);
    HieraTimedThread *found = take_new(HIERA_TIMED_FRESH, tid);
    found = found ? found : take_over(tid);
    found = found ? found : take_new(HIERA_TIMED_THREADS, tid);
    if (!found) {
        __atomic_fetch_add(&hiera_timed_homeless, 1, __ATOMIC_RELAXED);
        found = &nowhere;
        for (unsigned i = 0; i < HIERA_TIMED_SLOTS; i++)
            hiera_timed_locals.down[i] = INT32_MAX;
        for (unsigned i = 0; i < HIERA_PLAN_SITES; i++)
            hiera_timed_locals.calls[i] = INT32_MAX;
        for (unsigned i = 0; i < HIERA_TIMED_GATES; i++)
            hiera_timed_locals.gates[i] = INT32_MAX;
    }
    return hiera_timed_thread = found;
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
    if (is_cold)
        close_old_gates(thread, begin - thread->spent);
    int64_t more = (int64_t)__builtin_ia32_rdtsc() - begin - hiera_timed_costs.inside[kind] - thread->asked;
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
    thread->asked = 0;
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
    for (uint32_t i = 0; i < HIERA_TIMED_GATES; i++)
        close_gate(thread, i, (int64_t)__builtin_ia32_rdtsc() - thread->spent);
    change(thread, false);
}

IN_EVENT void hiera_timing_look(void)
{
    HieraTimedThread *thread = hiera_timed_thread;
    if (!thread || thread->gated == 0 || thread->is_busy)
        return;
    change(thread, true);
    close_old_gates(thread, (int64_t)__builtin_ia32_rdtsc() - thread->spent);
    change(thread, false);
}

#pragma GCC pop_options

#else

void hiera_timing_note(void)
{
}

void hiera_timing_look(void)
{
}

#endif
