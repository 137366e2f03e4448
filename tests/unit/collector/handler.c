/* hiera_handler_may_run(): true in a signal handler, on any stack. False elsewhere, also where data on the stack
 * looks like the kernel's signal frame or is the rest of an old one. Runs under valgrind too: its frames differ. */
#include "../../../collector/base/in_signal_handler.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define APART __attribute__((noinline))

enum { BYTES = 64 << 10, ROOM = 32 << 10 };

static const char *volatile what; /* name of the current case */
static int n_failed;
static volatile int n_called;     /* volatile: the compiler assumes that raise() calls no function of this file */
static char *volatile context_at; /* context of the last handler that was called */
static sigjmp_buf way_out;

static void check(bool expected, bool actual)
{
    if (actual == expected)
        return;
    fprintf(stderr, "%s: expected %d, actual %d\n", what, expected, actual);
    n_failed++;
}

static APART void expect(bool expected)
{
    check(expected, hiera_handler_may_run(__builtin_frame_address(0)));
}

static void plain(int number)
{
    (void)number;
    n_called++;
    expect(true);
}

static void detailed(int number, siginfo_t *info, void *context)
{
    (void)info;
    context_at = context;
    plain(number);
}

static void outer(int number)
{
    plain(number);
    raise(SIGUSR2);
    plain(number);
}

static void jumps(int number)
{
    plain(number);
    siglongjmp(way_out, 1);
}

static void install(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(number, &action, NULL);
}

static void install_detailed(int flags)
{
    struct sigaction action = {.sa_sigaction = detailed, .sa_flags = SA_SIGINFO | flags};
    sigaction(SIGUSR1, &action, NULL);
}

static void give_stack(void *memory, int flags)
{
    stack_t stack = {.ss_sp = memory, .ss_size = BYTES, .ss_flags = flags};
    sigaltstack(&stack, NULL);
}

/* Raise a signal and check: n handlers run, each finds that it is in a handler, and the caller that it is not. */
static APART void call(const char *name, int n)
{
    what = name;
    n_called = 0;
    raise(SIGUSR1);
    if (n_called != n) {
        fprintf(stderr, "%s: %d handlers, expected %d\n", name, n_called, n);
        n_failed++;
    }
    expect(false);
}

static void handlers(void)
{
    static char memory[BYTES];
    install(SIGUSR1, plain, 0);
    call("a handler", 1);
    install_detailed(SA_NODEFER);
    call("a handler that wants to know more", 1);
    install(SIGUSR2, plain, 0);
    install(SIGUSR1, outer, 0);
    call("a handler in a handler", 3);
    give_stack(memory, 0);
    install(SIGUSR2, plain, SA_ONSTACK);
    call("a handler with a stack of its own in another", 3);
    install(SIGUSR1, outer, SA_ONSTACK);
    install(SIGUSR2, plain, 0);
    call("a handler in one with a stack of its own", 3);
    install_detailed(SA_ONSTACK);
    call("a stack of the program's data", 1);
    give_stack(NULL, SS_DISABLE);
}

static void fault(void)
{
    static int *volatile nowhere = (int *)8;
    what = "a fault";
    install(SIGSEGV, jumps, 0);
    if (sigsetjmp(way_out, 1) == 0)
        *nowhere = 1;
    install(SIGSEGV, SIG_DFL, 0);
    expect(false);
}

/* `memory` is on the stack of the main thread, above the stack of this thread; it becomes the stack of handlers. */
static void *in_thread(void *memory)
{
    install_detailed(0);
    call("a handler in a thread", 1);
    give_stack(memory, 0);
    install_detailed(SA_ONSTACK);
    call("a stack further up", 1);
    give_stack(NULL, SS_DISABLE);
    return NULL;
}

static APART void thread(void)
{
    char memory[BYTES];
    pthread_t other;
    if (pthread_create(&other, NULL, in_thread, memory) != 0 || pthread_join(other, NULL) != 0)
        n_failed++;
}

/* Run a handler so deep in the stack that functions called later do not overwrite its frame. */
static APART void call_deep(void)
{
    volatile char room[ROOM / 2];
    room[0] = 1;
    install_detailed(0);
    what = "a handler far down";
    raise(SIGUSR1);
    room[1] = room[0];
}

/* Check that the frame of an old handler, which lies in `room`, is not taken for a current one.
 *
 * @param end  end of the caller's stack; NULL: use this function's frame */
static APART void after(const char *name, const void *end)
{
    volatile char room[ROOM];
    room[ROOM - 1] = 1;
    what = name;
    if (context_at < (char *)room || context_at >= (char *)room + ROOM - 8192) {
        fprintf(stderr, "%s: the frame is at %p, the room at %p\n", name, (void *)context_at, (void *)(uintptr_t)room);
        n_failed++;
    }
    if (end)
        check(false, hiera_handler_may_run(end));
    else
        expect(false);
    room[0] = room[ROOM - 1];
}

static void remains(void)
{
    call_deep();
    after("a handler is over, and was called further down", __builtin_frame_address(0));
}

#if defined(__x86_64__)

/* Indices of words in a signal frame; SOFTWARE: offset in bytes, in the floating-point state, of the size of the
 * complete state. */
enum { FLAGS = 1, RSP = 21, RFLAGS = 23, SEGMENTS = 24, FLOATS = 29, SOFTWARE = 464 };

/* Check that local variables with the values of a signal frame are not taken for one. */
static APART void look_alike(const char *name, uint64_t first)
{
    _Alignas(16) volatile uint64_t words[128] = {0};
    volatile uint64_t *frame = words + 1;
    uint16_t code, stack;
    __asm__("mov %%cs, %0" : "=r"(code));
    __asm__("mov %%ss, %0" : "=r"(stack));
    frame[0] = first;
    frame[RSP] = (uintptr_t)(words + 128);
    frame[RFLAGS] = 2;
    frame[SEGMENTS] = code | (uint64_t)stack << 48;
    frame[FLOATS] = (uintptr_t)(words + 64);
    what = name;
    expect(false);
    words[0] = frame[0];
}

static void chance(void)
{
    look_alike("zeros and an address", 0);
    look_alike("a return address", (uintptr_t)look_alike);
    look_alike("an address on the stack", (uintptr_t)__builtin_frame_address(0));
}

/* Overwrite n bytes of the floating-point state of an old frame. */
static APART void wear(size_t from, size_t n)
{
    const uint64_t *words = (const uint64_t *)(const void *)(context_at - 8);
    memset((char *)words[FLOATS] + from, 0, n);
}

static void worn(void)
{
    uint32_t bytes;
    call_deep();
    const uint64_t *words = (const uint64_t *)(const void *)(context_at - 8);
    if (!(words[FLAGS] & 1)) /* valgrind, or a processor from before 2008: no extended state */
        return;
    memcpy(&bytes, (const char *)words[FLOATS] + SOFTWARE + 4, sizeof bytes);
    wear(bytes - 64, 64);
    after("the end of the frame is gone", NULL);
    call_deep();
    wear(SOFTWARE - 64, 128);
    after("the middle of the frame is gone", NULL);
}

#else

static void chance(void)
{
}

static void worn(void)
{
}

#endif

int main(void)
{
    what = "nothing has happened";
    expect(false);
    handlers();
    fault();
    thread();
    remains();
    chance();
    worn();
    return n_failed != 0;
}
