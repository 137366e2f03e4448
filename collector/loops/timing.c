/* See timing.h. */
#include "timing.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unwind.h>

HieraTimedFunction hiera_timed_functions[HIERA_TIMED_FUNCTIONS];

static HieraTimedThread *threads; /* HIERA_TIMED_THREADS */

#ifdef __x86_64__

static HieraTimedThread nowhere; /* of threads for which there is no room */
static uint64_t n_homeless;

__thread HieraTimedThread *hiera_timed_thread __attribute__((tls_model("initial-exec")));
__thread uint64_t hiera_timed_counters[HIERA_PLAN_LOOPS] __attribute__((tls_model("initial-exec")));

/* The program's vector registers are in use while these run, and nobody has saved them. */
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

/* First event of a thread. */
IN_EVENT static __attribute__((noinline)) HieraTimedThread *find_place(void)
{
    pid_t tid = (pid_t)call_kernel(SYS_gettid, 0, 0, 0);
    HieraTimedThread *found = NULL;
    for (unsigned i = 0; i < HIERA_TIMED_THREADS && !found; i++)
        found = __atomic_load_n(&threads[i].tid, __ATOMIC_RELAXED) == 0 ? settle(&threads[i], 0, tid) : NULL;
    for (unsigned i = 0; i < HIERA_TIMED_THREADS && !found; i++) {
        pid_t other = __atomic_load_n(&threads[i].tid, __ATOMIC_RELAXED);
        found = other == tid || has_ended(other) ? settle(&threads[i], other, tid) : NULL;
    }
    if (!found) {
        __atomic_fetch_add(&n_homeless, 1, __ATOMIC_RELAXED);
        found = &nowhere;
    }
    return hiera_timed_thread = found;
}

IN_EVENT static void add(HieraTimedSum *sum, uint64_t time, uint64_t callees, uint64_t events, bool is_inner)
{
    sum->least = sum->executions == 0 || time < sum->least ? time : sum->least;
    sum->most = time > sum->most ? time : sum->most;
    sum->executions++;
    sum->total += is_inner ? 0 : time;
    sum->own += time > callees ? time - callees : 0;
    sum->events += events;
}

/* What a counter of iterations has since it was read last. Its thread alone changes it. */
IN_EVENT static uint64_t take_count(uint32_t loop)
{
    uint64_t *counter = &hiera_timed_counters[loop % HIERA_PLAN_LOOPS], count = *counter;
    *counter = 0;
    return count;
}

IN_EVENT static void end_loop(HieraTimedThread *thread, HieraTimedFrame *frame, uint32_t loop, uint64_t now)
{
    HieraTimedRun *run = &thread->runs[frame->first_run + (loop - hiera_timed_functions[frame->function].loop)];
    if (!run->is_running)
        return;
    run->is_running = false;
    thread->loops[loop].iterations += take_count(loop);
    add(&thread->loops[loop], now - run->start, frame->callees - run->callees, frame->events - run->events,
        frame->is_inner);
}

/* Leave the innermost activation. */
IN_EVENT static void drop(HieraTimedThread *thread)
{
    const HieraTimedFrame *frame = &thread->frames[--thread->n_frames];
    thread->n_runs = frame->first_run;
    thread->depths[frame->function]--;
    if (thread->n_frames > 0)
        thread->frames[thread->n_frames - 1].events += frame->events;
}

IN_EVENT static void end_call(HieraTimedFrame *frame, uint64_t now)
{
    if (frame->call != 0)
        frame->callees += now - frame->call;
    frame->call = 0;
}

IN_EVENT static void begin_function(HieraTimedThread *thread, uint32_t function, uintptr_t stack)
{
    uint32_t n_loops = hiera_timed_functions[function].n_loops;
    if (thread->n_over > 0 || thread->n_frames == HIERA_TIMED_FRAMES ||
        thread->n_runs + n_loops > HIERA_TIMED_RUNNING) {
        thread->over = thread->n_over++ == 0 ? stack : thread->over;
        thread->lost++;
        return;
    }
    HieraTimedFrame *frame = &thread->frames[thread->n_frames++];
    frame->stack = stack;
    frame->function = function;
    frame->first_run = thread->n_runs;
    frame->callees = frame->call = frame->events = 0;
    frame->is_inner = thread->depths[function]++ > 0;
    for (uint32_t i = 0; i < n_loops; i++)
        thread->runs[thread->n_runs++].is_running = false;
    frame->start = read_ticks();
}

IN_EVENT static void end_function(HieraTimedThread *thread, HieraTimedFrame *frame, uint64_t now)
{
    const HieraTimedFunction *function = &hiera_timed_functions[frame->function];
    end_call(frame, now);
    for (uint32_t i = 0; i < function->n_loops; i++)
        end_loop(thread, frame, function->loop + i, now);
    add(&thread->functions[frame->function], now - frame->start, frame->callees, frame->events, frame->is_inner);
    drop(thread);
}

IN_EVENT static void begin_loop(HieraTimedThread *thread, HieraTimedFrame *frame, uint32_t loop)
{
    HieraTimedRun *run = &thread->runs[frame->first_run + (loop - hiera_timed_functions[frame->function].loop)];
    if (run->is_running)
        return;
    thread->loops[loop].iterations += take_count(loop); /* of an activation further out */
    run->is_running = true;
    run->callees = frame->callees;
    run->events = frame->events;
    run->start = read_ticks();
}

/* Activations further in were left by longjmp. The innermost one has called what did that. */
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
    const HieraTimedFunction *function = &hiera_timed_functions[frame->function];
    if (kind >= HIERA_PLAN_LOOP_IN)
        return number - function->loop < function->n_loops;
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
        thread->lost++; /* of a function that ran already, or on another stack */
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

/* `stack`: the program's stack pointer. For the code below. A signal may interrupt it, and its handler may tell events.
 */
IN_EVENT __attribute__((used, visibility("hidden"))) void hiera_timing_tell(uint32_t event, uintptr_t stack);
IN_EVENT void hiera_timing_tell(uint32_t event, uintptr_t stack)
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

typedef _Unwind_Reason_Code Personality(int, _Unwind_Action, _Unwind_Exception_Class, struct _Unwind_Exception *,
                                        struct _Unwind_Context *);

/* In its second phase the unwinder asks this routine of each copy whether the exception stays there. What comes later
 * does not belong to the function any more. */
static _Unwind_Reason_Code unwind(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                  struct _Unwind_Exception *exception, struct _Unwind_Context *context,
                                  const HieraPlanUnwound *unwound)
{
    const char *at = (const char *)&unwound->routine + unwound->routine;
    Personality *routine = NULL;
    if (unwound->routine != 0 && unwound->is_pointer)
        memcpy(&routine, at, sizeof routine);
    else if (unwound->routine != 0)
        routine = (Personality *)(uintptr_t)at;
    _Unwind_Reason_Code code = routine ? routine(version, actions, class, exception, context) : _URC_CONTINUE_UNWIND;
    if ((actions & _UA_CLEANUP_PHASE) != 0 && code == _URC_CONTINUE_UNWIND)
        hiera_timing_tell(unwound->event, (uintptr_t)__builtin_frame_address(0));
    return code;
}

const void *hiera_timing_unwind(void)
{
    return (const void *)(uintptr_t)unwind;
}

/* Entered with the event on the stack, behind 128 bytes that belong to the function (image/move/code_x86.c). Nothing
 * changes but the memory below the stack. */
__asm__(".text\n"
        ".p2align 4\n"
        ".type hiera_timing_enter, @function\n"
        "hiera_timing_enter:\n"
        ".byte 0xf3, 0x0f, 0x1e, 0xfa\n" /* endbr64 */
        "pushq %rax\n"
        "lahf\n"
        "seto %al\n"
        "pushq %rax\n"
        "pushq %rcx\n"
        "pushq %rdx\n"
        "pushq %rsi\n"
        "pushq %rdi\n"
        "pushq %r8\n"
        "pushq %r9\n"
        "pushq %r10\n"
        "pushq %r11\n"
        "movl 88(%rsp), %edi\n"
        "leaq 224(%rsp), %rsi\n"
        "call hiera_timing_tell\n"
        "popq %r11\n"
        "popq %r10\n"
        "popq %r9\n"
        "popq %r8\n"
        "popq %rdi\n"
        "popq %rsi\n"
        "popq %rdx\n"
        "popq %rcx\n"
        "popq %rax\n"
        "addb $0x7f, %al\n" /* overflows if al is 1 */
        "sahf\n"
        "popq %rax\n"
        "ret\n"
        ".size hiera_timing_enter, . - hiera_timing_enter\n");
void hiera_timing_enter(void) __attribute__((visibility("hidden")));

const void *hiera_timing_event(void)
{
    return (const void *)(uintptr_t)hiera_timing_enter;
}

ptrdiff_t hiera_timing_counters(void)
{
    const char *self;
    __asm__("movq %%fs:0, %0" : "=r"(self));
    return (const char *)hiera_timed_counters - self;
}

/* An event of number 0 as a copy has it. */
static inline __attribute__((always_inline)) void tell_as_copies_do(HieraPlanEvent event)
{
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n"
                     "pushq %0\n"
                     "call hiera_timing_enter\n"
                     "leaq 136(%%rsp), %%rsp\n"
                     :
                     : "i"(event)
                     : "memory", "cc");
}

double hiera_timing_calibrate(void)
{
    enum { TRIALS = 20, PAIRS = 50 };
    uint64_t least = UINT64_MAX;
    hiera_timed_functions[0] = (HieraTimedFunction){0, 1};
    tell_as_copies_do(HIERA_PLAN_FUNCTION_IN);
    for (int i = 0; i < TRIALS; i++) {
        uint64_t begin = __builtin_ia32_rdtsc();
        for (int j = 0; j < PAIRS; j++) {
            tell_as_copies_do(HIERA_PLAN_LOOP_IN);
            tell_as_copies_do(HIERA_PLAN_LOOP_OUT);
        }
        uint64_t took = __builtin_ia32_rdtsc() - begin;
        least = took < least ? took : least;
    }
    tell_as_copies_do(HIERA_PLAN_FUNCTION_OUT);
    return (double)least / (2 * PAIRS);
}

bool hiera_timing_begin(void)
{
    if (!threads) {
        void *memory = mmap(NULL, HIERA_TIMED_THREADS * sizeof *threads, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        threads = memory == MAP_FAILED ? NULL : memory;
    }
    return threads != NULL;
}

static uint64_t now_ticks(void)
{
    return __builtin_ia32_rdtsc();
}

#else

static const uint64_t n_homeless;

bool hiera_timing_begin(void)
{
    return false;
}

const void *hiera_timing_event(void)
{
    return NULL;
}

const void *hiera_timing_unwind(void)
{
    return NULL;
}

ptrdiff_t hiera_timing_counters(void)
{
    return 0;
}

double hiera_timing_calibrate(void)
{
    return 0;
}

static uint64_t now_ticks(void)
{
    return 0;
}

#endif

/* --- reading --- */

/* What of a thread is needed for one function or loop, at one moment. */
typedef struct View {
    HieraTimedSum sum;
    uint64_t open, total, own; /* executions in progress, and their times up to now */
} View;

static void add_open(View *view, const HieraTimedFrame *frame, uint64_t start, uint64_t callees, uint64_t now)
{
    uint64_t time = now > start ? now - start : 0;
    uint64_t called = frame->callees - callees + (frame->call != 0 && now > frame->call ? now - frame->call : 0);
    view->open++;
    view->total += frame->is_inner ? 0 : time;
    view->own += time > called ? time - called : 0;
}

static View look(const HieraTimedThread *thread, uint32_t loop, uint32_t function)
{
    View view = {.sum = loop > 0 ? thread->loops[loop] : thread->functions[function]};
    uint64_t now = now_ticks();
    uint32_t n = thread->n_frames < HIERA_TIMED_FRAMES ? thread->n_frames : HIERA_TIMED_FRAMES;
    for (uint32_t i = 0; i < n; i++) {
        const HieraTimedFrame *frame = &thread->frames[i];
        if (frame->function != function)
            continue;
        uint32_t at = frame->first_run + (loop - hiera_timed_functions[function].loop);
        if (loop == 0)
            add_open(&view, frame, frame->start, 0, now);
        else if (at < HIERA_TIMED_RUNNING && thread->runs[at].is_running)
            add_open(&view, frame, thread->runs[at].start, thread->runs[at].callees, now);
    }
    return view;
}

/* The same while the thread does not change it. It is told at most twice as many events as there are tries. */
static View look_calmly(const HieraTimedThread *thread, uint32_t loop, uint32_t function)
{
    enum { TRIES = 1000 };
    View view = {.open = 0};
    for (int i = 0; i < TRIES; i++) {
        uint32_t before = __atomic_load_n(&thread->sequence, __ATOMIC_ACQUIRE);
        view = look(thread, loop, function);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (before % 2 == 0 && __atomic_load_n(&thread->sequence, __ATOMIC_RELAXED) == before)
            break;
    }
    return view;
}

static void join(HieraTimed *timed, const View *view)
{
    const HieraTimedSum *sum = &view->sum;
    uint64_t total = sum->total + view->total;
    if (sum->executions + view->open == 0)
        return;
    timed->n_threads++;
    if (sum->executions > 0 && (timed->sum.executions == 0 || sum->least < timed->sum.least))
        timed->sum.least = sum->least;
    timed->sum.most = sum->most > timed->sum.most ? sum->most : timed->sum.most;
    timed->sum.executions += sum->executions;
    timed->sum.iterations += sum->iterations;
    timed->sum.total += total;
    timed->sum.own += sum->own + view->own;
    timed->sum.events += sum->events;
    timed->open += view->open;
    timed->most_of_thread = total > timed->most_of_thread ? total : timed->most_of_thread;
}

HieraTimed hiera_timing_loop(uint32_t number, uint32_t function)
{
    HieraTimed timed = {.n_threads = 0};
    for (unsigned i = 0; threads && i < HIERA_TIMED_THREADS; i++) {
        if (__atomic_load_n(&threads[i].tid, __ATOMIC_RELAXED) == 0)
            break;
        View view = look_calmly(&threads[i], number, function);
        join(&timed, &view);
    }
    return timed;
}

HieraTimed hiera_timing_function(uint32_t number)
{
    return hiera_timing_loop(0, number);
}

uint64_t hiera_timing_lost(void)
{
    uint64_t lost = n_homeless;
    for (unsigned i = 0; threads && i < HIERA_TIMED_THREADS; i++)
        lost += threads[i].lost;
    return lost;
}
