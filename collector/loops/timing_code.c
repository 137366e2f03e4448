/* The code that copies call at events, the personality routine for exceptions, and the cost of an event. */
#include "timing_table.h"

#include <string.h>
#include <sys/mman.h>
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
 * nothing but memory below the stack pointer. */
__asm__(".text\n"
        ".p2align 4\n"
        ".type hiera_timing_enter, @function\n"
        "hiera_timing_enter:\n"
        ".byte 0xf3, 0x0f, 0x1e, 0xfa\n" /* endbr64: allows indirect branches to here */
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
        "addb $0x7f, %al\n" /* sets the overflow flag again if al is 1 */
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

/* Make an event for function 0, by the same instructions as copies of functions. */
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
    if (!hiera_timed_threads) {
        void *memory = mmap(NULL, HIERA_TIMED_THREADS * sizeof *hiera_timed_threads, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        hiera_timed_threads = memory == MAP_FAILED ? NULL : memory;
    }
    return hiera_timed_threads != NULL;
}

#else

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

#endif
