/* The code that copies call at events, the personality routine for exceptions, and the cost of an event. */
#include "timing_table.h"

#include <string.h>
#include <unwind.h>

#ifdef __x86_64__

typedef _Unwind_Reason_Code Personality(int, _Unwind_Action, _Unwind_Exception_Class, struct _Unwind_Exception *,
                                        struct _Unwind_Context *);

/* In its second phase the unwinder calls this personality routine for each frame of a copy. If the exception leaves the
 * function, its activation ends here. */
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

/* Entered with the event on the stack, behind 128 bytes that belong to the function (image/move/code_x86.c). Changes
 * nothing but memory below the stack pointer. Handlers of signals may unwind from each instruction. */
__asm__(".text\n"
        ".macro hiera_push reg\n"
        "pushq %\\reg\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".endm\n"
        ".macro hiera_pop reg\n"
        "popq %\\reg\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".endm\n"
        ".p2align 4\n"
        ".type hiera_timing_enter, @function\n"
        "hiera_timing_enter:\n"
        ".cfi_startproc\n"
        ".byte 0xf3, 0x0f, 0x1e, 0xfa\n" /* endbr64: allows indirect branches to here */
        "hiera_push rax\n"
        "lahf\n"
        "seto %al\n"
        "hiera_push rax\n"
        "hiera_push rcx\n"
        "hiera_push rdx\n"
        "hiera_push rsi\n"
        "hiera_push rdi\n"
        "hiera_push r8\n"
        "hiera_push r9\n"
        "hiera_push r10\n"
        "hiera_push r11\n"
        "movl 88(%rsp), %edi\n"
        "leaq 224(%rsp), %rsi\n"
        "call hiera_timing_tell\n"
        "hiera_pop r11\n"
        "hiera_pop r10\n"
        "hiera_pop r9\n"
        "hiera_pop r8\n"
        "hiera_pop rdi\n"
        "hiera_pop rsi\n"
        "hiera_pop rdx\n"
        "hiera_pop rcx\n"
        "hiera_pop rax\n"
        "addb $0x7f, %al\n" /* sets the overflow flag again if al is 1 */
        "sahf\n"
        "hiera_pop rax\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size hiera_timing_enter, . - hiera_timing_enter\n"
        ".purgem hiera_push\n"
        ".purgem hiera_pop\n");
void hiera_timing_enter(void) __attribute__((visibility("hidden")));

const void *hiera_timing_event(void)
{
    return (const void *)(uintptr_t)hiera_timing_enter;
}

const ptrdiff_t *hiera_timing_locals(void)
{
    static ptrdiff_t at[HIERA_PLAN_LOCALS];
    const char *self;
    __asm__("movq %%fs:0, %0" : "=r"(self));
    at[HIERA_PLAN_COUNT] = (const char *)hiera_timed_locals.counts - self;
    at[HIERA_PLAN_START] = (const char *)hiera_timed_locals.starts - self;
    at[HIERA_PLAN_DOWN] = (const char *)hiera_timed_locals.down - self;
    at[HIERA_PLAN_CALLS] = (const char *)hiera_timed_locals.calls - self;
    at[HIERA_PLAN_GATES] = (const char *)hiera_timed_locals.gates - self;
    return at;
}

/* Make an event for function 0, by the same instructions as copies of functions. A macro: without optimisation the
 * event is a constant in no function. Who asks for the frame's address has a frame pointer, so handlers of signals may
 * unwind although the stack pointer moves. */
#define TELL_AS_COPIES_DO(event)                                                                                       \
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n"                                                                       \
                     "pushq %0\n"                                                                                      \
                     "call hiera_timing_enter\n"                                                                       \
                     "leaq 136(%%rsp), %%rsp\n"                                                                        \
                     :                                                                                                 \
                     : "i"((long)(event)), "r"(__builtin_frame_address(0))                                             \
                     : "memory", "cc")

enum { TRIALS = 20, PAIRS = 50 };

/* Ticks of a pair of events, as few as they ever were. */
#define PAIR_OF(begin, end)                                                                                            \
    __extension__({                                                                                                    \
        int64_t least = INT64_MAX;                                                                                     \
        for (int i = 0; i < TRIALS; i++) {                                                                             \
            int64_t since = (int64_t)__builtin_ia32_rdtsc();                                                           \
            for (int j = 0; j < PAIRS; j++) {                                                                          \
                TELL_AS_COPIES_DO(begin);                                                                              \
                TELL_AS_COPIES_DO(end);                                                                                \
            }                                                                                                          \
            int64_t took = (int64_t)__builtin_ia32_rdtsc() - since;                                                    \
            least = took < least ? took : least;                                                                       \
        }                                                                                                              \
        least / PAIRS;                                                                                                 \
    })

/* Ticks of an execution that is only counted, times HIERA_TIMED_FINE, by the instructions that copies have for it,
 * where nothing else is done. */
static int64_t quiet_cost(void)
{
    int64_t least = INT64_MAX;
    enum { TURNS = 1000 };
    for (int i = 0; i < TRIALS; i++) {
        int64_t since = (int64_t)__builtin_ia32_rdtsc();
        for (int64_t j = 0; j < TURNS; j++)
            __asm__ volatile(
                "decl %0\njg 1f\n1: mov %3, %1\nmov %3, %%rax\nsub %1, %%rax\nadd %%rax, %2\ncmpl $0, %0\njg 2f\n2:"
                : "+m"(hiera_timed_locals.down[0]), "+m"(hiera_timed_locals.starts[0]),
                  "+m"(hiera_timed_locals.counts[0])
                : "r"(j)
                : "rax", "cc");
        int64_t took = (int64_t)__builtin_ia32_rdtsc() - since;
        least = took < least ? took : least;
    }
    return least * HIERA_TIMED_FINE / TURNS;
}

/* Ticks of an iteration that an instruction counts, times HIERA_TIMED_FINE, where it does little else: each addition
 * waits for the one before. `forwards`: as long as it ever takes. Some processors keep what was stored in a register
 * (AMD, since Zen 2), but not always; a load of a part of it waits for the store. */
static int64_t counter_cost(bool forwards)
{
    int64_t least = INT64_MAX;
    enum { TURNS = 1000 };
    for (int i = 0; i < TRIALS; i++) {
        int64_t since = (int64_t)__builtin_ia32_rdtsc();
        for (int j = 0; j < TURNS && !forwards; j++)
            __asm__ volatile("incq %0" : "+m"(hiera_timed_locals.counts[0]) : : "cc");
        for (int j = 0; j < TURNS && forwards; j++)
            __asm__ volatile("mov 4(%0), %%eax\ninc %%rax\nmov %%rax, (%0)"
                             :
                             : "r"(hiera_timed_locals.counts)
                             : "rax", "cc", "memory");
        int64_t took = (int64_t)__builtin_ia32_rdtsc() - since;
        least = took < least ? took : least;
    }
    hiera_timed_locals.counts[0] = 0;
    return least * HIERA_TIMED_FINE / TURNS;
}

/* Ticks of an iteration that is counted in a register: an instruction for which nothing waits. */
enum { OF_A_COUNTER = 8 };

/* What an event of function 0 measures by itself; it has been told often. */
static void take_inside(HieraPlanEvent kind)
{
    HieraTimedCost *cost = &hiera_timed_thread->costs[0][kind];
    int64_t ticks = cost->mean / HIERA_TIMED_FINE;
    *cost = (HieraTimedCost){.more = 0};
    hiera_timed_costs.inside[kind] = ticks > 0 ? ticks : 1;
}

/* Share what a pair of events takes among them: the second one has what the time between them is too long. */
static void take(HieraPlanEvent begin, HieraPlanEvent end, int64_t pair, int64_t inside)
{
    inside = inside > pair ? pair : inside;
    hiera_timed_costs.kinds[begin] = pair - inside;
    hiera_timed_costs.kinds[end] = inside;
}

void hiera_timing_calibrate(void)
{
    hiera_timed_functions[0] = (HieraTimedFunction){0, 1};
    hiera_timed_costs = (HieraTimedCosts){.slack = 0};
    int64_t whole = PAIR_OF(HIERA_PLAN_FUNCTION_IN, HIERA_PLAN_FUNCTION_OUT);
    HieraTimedThread *thread = hiera_timed_thread;
    if (!thread)
        return;
    thread->paces[0].is_full = thread->calls[0].is_full = true;
    TELL_AS_COPIES_DO(HIERA_PLAN_FUNCTION_IN);
    int64_t loop = PAIR_OF(HIERA_PLAN_LOOP_DUE, HIERA_PLAN_LOOP_OUT);
    int64_t callees = thread->frames[0].callees;
    int64_t call = PAIR_OF(HIERA_PLAN_CALL, HIERA_PLAN_BACK);
    callees = thread->frames[0].callees - callees;
    TELL_AS_COPIES_DO(HIERA_PLAN_FUNCTION_OUT);
    thread->calls[0] = (HieraTimedPace){.gap = 0};
    hiera_timed_costs.quiet = quiet_cost() / 2;
    int64_t counter = counter_cost(false), slow = counter_cost(true);
    hiera_timed_costs.counter = slow > counter ? slow : counter;
    hiera_timed_costs.spare = counter / OF_A_COUNTER;
    take(HIERA_PLAN_FUNCTION_IN, HIERA_PLAN_FUNCTION_OUT, whole, (int64_t)thread->functions[0].least);
    take(HIERA_PLAN_LOOP_DUE, HIERA_PLAN_LOOP_OUT, loop, (int64_t)thread->loops[0].least);
    take(HIERA_PLAN_CALL, HIERA_PLAN_BACK, call, callees / (TRIALS * PAIRS));
    hiera_timed_costs.kinds[HIERA_PLAN_LOOP_IN] = hiera_timed_costs.kinds[HIERA_PLAN_LOOP_HERE] =
        hiera_timed_costs.kinds[HIERA_PLAN_LOOP_DUE];
    for (HieraPlanEvent kind = HIERA_PLAN_FUNCTION_IN; kind < HIERA_PLAN_EVENTS; kind++)
        take_inside(kind);
    hiera_timed_costs.inside[HIERA_PLAN_LOOP_IN] = hiera_timed_costs.inside[HIERA_PLAN_LOOP_HERE] =
        hiera_timed_costs.inside[HIERA_PLAN_LOOP_DUE];
    hiera_timed_costs.lap = call;
    hiera_timed_costs.slack = hiera_timed_costs.kinds[HIERA_PLAN_LOOP_OUT] / 4;
}

#else

const void *hiera_timing_event(void)
{
    return NULL;
}

const void *hiera_timing_unwind(void)
{
    return NULL;
}

const ptrdiff_t *hiera_timing_locals(void)
{
    return NULL;
}

void hiera_timing_calibrate(void)
{
}

#endif
