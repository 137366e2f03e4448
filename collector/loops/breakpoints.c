#include "breakpoints.h"

#ifdef __x86_64__

#include "base/clock.h"
#include "thread_places.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { BREAKPOINT = 0xcc, PATIENCE_NS = 1000000000, PLACES_MAX = 16384 };

/* Data of the signal handler. It is published as a whole, and stays until no thread can be about to enter the handler.
 */
typedef struct Change {
    size_t n;
    bool has_had_breakpoints, has_breakpoints; /* breakpoints may have been set in this change; may be set now */
    HieraThreadPlaces threads;
    HieraRewritten all[PLACES_MAX];
} Change;

static Change *current;           /* the change in progress; NULL: none */
static struct sigaction programs; /* the program's action for SIGTRAP, to be restored */

static const char not_written[] = "the system does not let its code be changed";

/* --- the signal handler --- */

static uintptr_t find(const Change *change, uintptr_t at)
{
    for (size_t i = 0; change && i < change->n; i++)
        if (at - change->all[i].at < HIERA_PLAN_JUMP)
            return change->all[i].to[at - change->all[i].at];
    return 0;
}

/* Act as without Hiera's handler: the program has the default action, or ignores SIGTRAP, which has no effect on a trap
 * that the thread itself has caused. */
static void give_to_program(const siginfo_t *info, greg_t *counter)
{
    bool is_own = info->si_code > 0;
    if (!is_own && programs.sa_handler == SIG_IGN)
        return;
    signal(SIGTRAP, SIG_DFL);
    if (is_own && *(const unsigned char *)(uintptr_t)(*counter - 1) == BREAKPOINT)
        --*counter; /* back to the breakpoint, which the thread then executes again */
    else
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGTRAP);
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    Change *change = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
    uintptr_t to = info->si_code > 0 ? find(change, (uintptr_t)registers[REG_RIP] - 1) : 0;
    (void)number;
    if (to == 0) {
        give_to_program(info, &registers[REG_RIP]);
    } else {
        registers[REG_RIP] = (greg_t)to;
        hiera_threads_say(&change->threads, (pid_t)syscall(SYS_gettid), (uintptr_t)registers[REG_RSP]);
    }
    errno = saved_errno;
}

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_trap;
}

/* Install on_trap() for SIGTRAP. It blocks no signal, so that no other handler runs with SIGTRAP blocked. */
static const char *take_signal(void)
{
    struct sigaction ours, now;
    if (sigaction(SIGTRAP, NULL, &now) != 0 || is_ours(&now))
        return NULL;
    if ((now.sa_flags & SA_SIGINFO) || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN))
        return "without ptrace: the program handles SIGTRAP itself";
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = on_trap;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
    sigemptyset(&ours.sa_mask);
    programs = now;
    return sigaction(SIGTRAP, &ours, NULL) == 0 ? NULL : "without ptrace: SIGTRAP cannot be handled";
}

/* Restore the program's action for SIGTRAP, unless the program has set another action meanwhile. */
static void give_signal_back(void)
{
    struct sigaction now;
    if (sigaction(SIGTRAP, NULL, &now) == 0 && is_ours(&now))
        sigaction(SIGTRAP, &programs, NULL);
}

/* --- addresses of code where no thread may be during a change --- */

/* Whether an address is inside the bytes to be changed, or directly behind a breakpoint there, which a thread has just
 * executed. */
static bool is_inside(void *data, uintptr_t address)
{
    const Change *change = data;
    for (size_t i = 0; i < change->n; i++)
        if (address - change->all[i].at - 1 < HIERA_PLAN_JUMP)
            return true;
    return false;
}

/* End the last change of code: remove the handler, if no thread can still enter it. Returns NULL, or why not. */
static const char *settle(void)
{
    Change *change = current;
    const HieraForbidden forbidden = {is_inside, change, 0};
    if (!change)
        return NULL;
    const char *reason = change->has_had_breakpoints ? hiera_threads_list(&change->threads) : NULL;
    if (!reason && change->has_had_breakpoints)
        reason = hiera_threads_wait_outside(&change->threads, &forbidden, PATIENCE_NS);
    if (reason)
        return reason;
    give_signal_back();
    __atomic_store_n(&current, NULL, __ATOMIC_RELEASE);
    return NULL;
}

/* --- writing machine code --- */

static bool tell_processors(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) == 0;
}

static bool put(int memory, uintptr_t at, const void *bytes, size_t n)
{
    return pwrite(memory, bytes, n, (off_t)at) == (ssize_t)n;
}

static bool put_breakpoints(const Change *change, int memory)
{
    static const unsigned char breakpoint = BREAKPOINT;
    bool good = true;
    for (size_t i = 0; i < change->n; i++)
        for (size_t j = 0; j < HIERA_PLAN_JUMP; j++)
            if (change->all[i].to[j] != 0)
                good = good && put(memory, change->all[i].at + j, &breakpoint, 1);
    return good && tell_processors();
}

/* Write all bytes behind the first one of each place, then the first bytes, which are breakpoints so far. */
static bool put_bytes(const Change *change, int memory, bool is_after)
{
    bool good = true;
    for (size_t i = 0; i < change->n; i++)
        good &= put(memory, change->all[i].at + 1, (is_after ? change->all[i].after : change->all[i].before) + 1,
                    HIERA_PLAN_JUMP - 1);
    good = tell_processors() && good;
    for (size_t i = 0; good && i < change->n; i++)
        good &= put(memory, change->all[i].at, is_after ? change->all[i].after : change->all[i].before, 1);
    return tell_processors() && good;
}

static bool has_inside(const Change *change)
{
    for (size_t i = 0; i < change->n; i++)
        for (size_t j = 1; j < HIERA_PLAN_JUMP; j++)
            if (change->all[i].to[j] != 0)
                return true;
    return false;
}

/* Write the new code at all places; if that fails, write the old code. Returns NULL, or why it failed. */
static const char *write_all(Change *change, int memory)
{
    const HieraForbidden forbidden = {is_inside, change, SIGTRAP};
    const char *reason = NULL;
    change->has_had_breakpoints = true;
    __atomic_store_n(&change->has_breakpoints, true, __ATOMIC_SEQ_CST);
    if (!put_breakpoints(change, memory))
        reason = not_written;
    else if (has_inside(change))
        reason = hiera_threads_list(&change->threads); /* list again, since threads may have begun since */
    if (!reason && has_inside(change))
        reason = hiera_threads_wait_outside(&change->threads, &forbidden, PATIENCE_NS);
    if (reason || !put_bytes(change, memory, true)) {
        put_bytes(change, memory, false);
        reason = reason ? reason : not_written;
    }
    __atomic_store_n(&change->has_breakpoints, false, __ATOMIC_SEQ_CST);
    return reason;
}

/* --- one change of code from begin to end --- */

/* Every change uses the same memory, never freed, since a thread at the end of the handler may still read it. */
static Change *new_change(const HieraRewritten *all, size_t n)
{
    static Change *only;
    void *memory = only;
    if (!only)
        memory = mmap(NULL, sizeof *only, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    only = memory;
    only->n = n;
    only->has_had_breakpoints = false;
    memcpy(only->all, all, n * sizeof *all);
    return only;
}

/* Check that all threads can receive SIGTRAP. This is done after the handler is set, so that children of vfork that are
 * made later have it, too. The C library blocks all signals for moments, for example when it makes threads: so the
 * check is repeated for a while. */
static const char *accept_threads(Change *change)
{
    enum { TRIES = 100, MOMENT_NS = 1000000 };
    static const struct timespec moment = {0, MOMENT_NS};
    const char *reason = NULL;
    for (int i = 0; i < TRIES; i++) {
        reason = hiera_threads_list(&change->threads);
        if (!reason)
            reason = hiera_threads_accept(&change->threads, SIGTRAP);
        if (!reason)
            break;
        nanosleep(&moment, NULL);
    }
    return reason;
}

static const char *change_once(Change *change, int memory, uint64_t *ns)
{
    const char *reason = take_signal();
    if (!reason)
        reason = accept_threads(change);
    uint64_t began = hiera_clock_monotonic_ns();
    if (!reason)
        reason = write_all(change, memory);
    if (ns)
        *ns = hiera_clock_monotonic_ns() - began;
    return reason;
}

const char *hiera_breakpoints_rewrite(const HieraRewritten *all, size_t n, uint64_t *ns)
{
    const char *reason = settle();
    if (ns)
        *ns = 0;
    if (reason)
        return reason;
    if (n > PLACES_MAX)
        return "without ptrace: too many places change";
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) != 0)
        return "without ptrace: the system does not tell processors that code has changed (membarrier)";
    int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    if (memory < 0)
        return not_written;
    Change *change = new_change(all, n);
    if (change) {
        __atomic_store_n(&current, change, __ATOMIC_RELEASE);
        reason = change_once(change, memory, ns);
        settle();
    } else {
        reason = "there is no memory";
    }
    close(memory);
    return reason;
}

void hiera_breakpoints_in_child(void)
{
    const Change *change = current;
    int memory = change && change->has_breakpoints ? open("/proc/self/mem", O_RDWR | O_CLOEXEC) : -1;
    bool good = !change || !change->has_breakpoints || memory >= 0;
    for (size_t i = 0; memory >= 0 && i < change->n; i++)
        good &= put(memory, change->all[i].at, change->all[i].before, HIERA_PLAN_JUMP);
    if (memory >= 0)
        close(memory);
    if (!change || !good) /* keep the handler if breakpoints are left */
        return;
    give_signal_back();
    current = NULL;
}

#else

const char *hiera_breakpoints_rewrite(const HieraRewritten *all, size_t n, uint64_t *ns)
{
    (void)all, (void)n, (void)ns;
    return "code is changed on x86-64 alone";
}

void hiera_breakpoints_in_child(void)
{
}

#endif
