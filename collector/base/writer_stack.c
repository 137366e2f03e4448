/* Switch to a stack of Hiera's own for writing a trace. See writer_stack.h.
 *
 * Threads may have stacks of 16 kilobytes, signal handlers half of that, and fibers any size; libdw needs more than 100
 * kilobytes. So the trace is written on Hiera's stack if little room is left. The bounds of a thread's stack are looked
 * up once, and again when the thread is found on another stack.
 *
 * AddressSanitizer must be notified when the stack changes. Its own swapcontext does not support this and prints a
 * warning into the program's output, so libc's swapcontext is called. */
#include "writer_stack.h"

#include "proc_maps.h"
#include "program_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

enum {
    NEEDED = 256 << 10,
    OURS = 1 << 20,
    AWAY = 4 << 20, /* gap to other stacks: valgrind takes a switch to a closer stack for growth of the old one */
    MAIN_MAX = 64 << 20
};

typedef struct Bounds {
    uintptr_t begin, end;
} Bounds;

static __thread Bounds known __attribute__((tls_model("initial-exec")));
static char *ours;

static struct {
    void (*work)(void *);
    void *argument;
    ucontext_t there, back;
    const void *from; /* begin of the stack in use before the switch */
    size_t from_bytes;
} task;

static int (*next_swapcontext)(ucontext_t *, const ucontext_t *);

void __sanitizer_start_switch_fiber(void **state, const void *stack, size_t bytes) __attribute__((weak));
void __sanitizer_finish_switch_fiber(void *state, const void **from, size_t *from_bytes) __attribute__((weak));

void hiera_stack_load(void)
{
    next_swapcontext = (__typeof__(next_swapcontext))dlsym(RTLD_NEXT, "swapcontext");
    if (!next_swapcontext) /* dlsym() finds none if libc is linked statically */
        next_swapcontext = swapcontext;
}

/* The bounds of the current stack. Usually it is one mapping. But an alternate signal stack has no guard page, so its
 * mapping may be larger; sigaltstack() knows its bounds. The main thread's stack may grow up to its limit; the
 * program's name is on it. */
static Bounds bounds_of(uintptr_t here)
{
    HieraMapping mapping;
    stack_t alternate;
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    uintptr_t name = (uintptr_t)program_invocation_name;
    if (sigaltstack(NULL, &alternate) == 0 && (alternate.ss_flags & SS_ONSTACK))
        return (Bounds){(uintptr_t)alternate.ss_sp, (uintptr_t)alternate.ss_sp + alternate.ss_size};
    if (!hiera_maps_find(here, &mapping))
        return (Bounds){0, 0};
    if (name >= mapping.begin && name < mapping.end) {
        getrlimit(RLIMIT_STACK, &limit);
        uintptr_t most = limit.rlim_cur < MAIN_MAX ? (uintptr_t)limit.rlim_cur : MAIN_MAX;
        if (most > mapping.end - mapping.begin)
            mapping.begin = mapping.end - most;
    }
    return (Bounds){mapping.begin, mapping.end};
}

static bool is_ours(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return ours && here >= (uintptr_t)ours && here < (uintptr_t)ours + OURS;
}

static bool has_room(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (is_ours())
        return true;
    if (here < known.begin || here >= known.end)
        known = bounds_of(here);
    return known.end == 0 || here - known.begin >= NEEDED;
}

static bool make_ours(void)
{
    if (ours)
        return true;
    char *memory = mmap(NULL, AWAY + OURS + AWAY, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    if (mprotect(memory + AWAY, OURS, PROT_READ | PROT_WRITE) == 0)
        ours = memory + AWAY;
    else
        munmap(memory, AWAY + OURS + AWAY);
    return ours != NULL;
}

static void run_task(void)
{
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(NULL, &task.from, &task.from_bytes);
    task.work(task.argument);
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(NULL, task.from, task.from_bytes);
}

static void switch_stacks(void)
{
    void *state = NULL;
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(&state, ours, OURS);
    next_swapcontext(&task.back, &task.there);
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(state, NULL, NULL);
}

static void run_apart(void (*work)(void *), void *argument)
{
    if (is_ours() || !make_ours() || getcontext(&task.there) != 0) {
        work(argument);
        return;
    }
    task.work = work;
    task.argument = argument;
    task.there.uc_stack.ss_sp = ours;
    task.there.uc_stack.ss_size = OURS;
    task.there.uc_link = &task.back;
    makecontext(&task.there, run_task, 0);
    switch_stacks();
}

/* Allocations made during `work`, such as those of libdw, are not counted as the program's. */
void hiera_stack_run(void (*work)(void *), void *argument)
{
    HieraMallocCounts held = hiera_program_memory_hold();
    if (has_room())
        work(argument);
    else
        run_apart(work, argument);
    hiera_program_memory_release(&held);
}

void hiera_stack_run_apart(void (*work)(void *), void *argument)
{
    HieraMallocCounts held = hiera_program_memory_hold();
    run_apart(work, argument);
    hiera_program_memory_release(&held);
}
