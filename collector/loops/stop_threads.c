/* See stop_threads.h.
 *
 * The stopping process is made by clone() with the memory and the file descriptors of this one, so that nothing is
 * copied, and without SIGCHLD, so that the program's wait() does not see it. It uses no thread-local data but errno,
 * which is that of the thread that waits for it. */
#include "stop_threads.h"

#include "base/clock.h"
#include "stack_words.h"
#include "task_entries.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

const char hiera_stop_refused[] = "the system lets no process stop threads (ptrace)";

#ifdef __x86_64__

enum { THREADS_MAX = 4096, STACK = 256 << 10, PATIENCE_NS = 200000000, NAP_NS = 50000, RED_ZONE = 128 };

typedef struct Stop {
    const HieraStopped *stopped;
    pid_t process, caller; /* the process whose threads are stopped, and its thread that has asked for it and waits */
    uint32_t may_begin;
    bool has_ended; /* run() has returned; else its process was killed, as for a forbidden system call */
    const char *reason;
    uint64_t ns;
    unsigned n;
    pid_t tids[THREADS_MAX];
    int signals[THREADS_MAX]; /* signal that was pending when the thread stopped, and is delivered when it goes on; 0:
                                 none */
} Stop;

static bool is_known(const Stop *stop, pid_t tid)
{
    bool known = tid == stop->caller;
    for (unsigned i = 0; i < stop->n && !known; i++)
        known = stop->tids[i] == tid;
    return known;
}

/* Wait until a thread has stopped or ended.
 *
 * @param signal  receives the signal if the thread was stopped by one, not by the request of seize() */
static bool has_stopped(pid_t tid, uint64_t until, int *signal)
{
    for (;;) {
        int status;
        pid_t found = waitpid(tid, &status, __WALL | WNOHANG);
        if (found == tid && WIFSTOPPED(status) && status >> 16 == 0)
            *signal = WSTOPSIG(status);
        if (found == tid)
            return WIFSTOPPED(status) || WIFEXITED(status) || WIFSIGNALED(status);
        if (found < 0 && errno != EINTR)
            return errno == ECHILD || errno == ESRCH;
        if (hiera_clock_monotonic_ns() > until)
            return false;
        struct timespec nap = {0, NAP_NS};
        nanosleep(&nap, NULL);
    }
}

static bool seize(Stop *stop, pid_t tid)
{
    if (stop->n == THREADS_MAX) {
        stop->reason = "there are too many threads";
        return false;
    }
    if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0) {
        stop->reason = errno == ESRCH ? NULL : hiera_stop_refused;
        return errno == ESRCH;
    }
    stop->tids[stop->n++] = tid;
    if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0)
        stop->n--; /* the thread has just ended: forget it */
    return true;
}

/* Attach (ptrace) to threads that are not in stop->tids yet. @return  how many; -1: it is not possible */
static int seize_new(Stop *stop, int folder)
{
    static char entries[32768] __attribute__((aligned(8)));
    int n_new = 0;
    long n;
    lseek(folder, 0, SEEK_SET);
    while ((n = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long at = 0; at < n;) {
            pid_t tid = hiera_task_entry_take(entries, &at);
            if (tid <= 0 || is_known(stop, tid))
                continue;
            if (!seize(stop, tid))
                return -1;
            n_new++;
        }
    return n < 0 ? -1 : n_new;
}

/* Stop all threads. Running threads may make new ones, so list and stop again until no new thread is found. */
static bool stop_all(Stop *stop, int folder, uint64_t until)
{
    unsigned n_stopped = 0;
    for (;;) {
        int n = seize_new(stop, folder);
        if (n < 0)
            return false;
        for (; n_stopped < stop->n; n_stopped++)
            if (!has_stopped(stop->tids[n_stopped], until, &stop->signals[n_stopped])) {
                stop->reason = "a thread does not stop";
                return false;
            }
        if (n == 0)
            return true;
    }
}

/* Check the stacks of all stopped threads. @return  false if one contains an address for which is_bad() is true */
static bool look_at_all(Stop *stop)
{
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    for (unsigned i = 0; i < stop->n && memory >= 0 && !stop->reason; i++) {
        struct user_regs_struct registers;
        struct iovec vector = {&registers, sizeof registers};
        bool has_ended = ptrace(PTRACE_GETREGSET, stop->tids[i], (void *)1 /* NT_PRSTATUS */, &vector) != 0;
        if (!has_ended && stop->stopped->is_bad &&
            hiera_stack_words_have(memory, registers.rsp - RED_ZONE, stop->stopped->is_bad, stop->stopped->data))
            stop->reason = "a thread is about to execute it";
    }
    if (memory >= 0)
        close(memory);
    else
        stop->reason = "the stacks of threads cannot be read";
    return !stop->reason;
}

static void move_all(const Stop *stop)
{
    for (unsigned i = 0; i < stop->n; i++) {
        struct user_regs_struct registers;
        struct iovec vector = {&registers, sizeof registers};
        if (ptrace(PTRACE_GETREGSET, stop->tids[i], (void *)1, &vector) != 0)
            continue;
        uintptr_t there = stop->stopped->move(stop->stopped->data, registers.rip);
        if (there == registers.rip)
            continue;
        registers.rip = there;
        ptrace(PTRACE_SETREGSET, stop->tids[i], (void *)1, &vector);
    }
}

static void begin_when_allowed(Stop *stop)
{
    while (__atomic_load_n(&stop->may_begin, __ATOMIC_ACQUIRE) == 0)
        syscall(SYS_futex, &stop->may_begin, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static int run(void *data)
{
    Stop *stop = data;
    char path[64];
    begin_when_allowed(stop);
    uint64_t began = hiera_clock_monotonic_ns();
    snprintf(path, sizeof path, "/proc/%ld/task", (long)stop->process);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    stop->reason = folder >= 0 ? NULL : "the threads of the program cannot be listed";
    if (folder >= 0 && stop_all(stop, folder, began + PATIENCE_NS) && look_at_all(stop)) {
        stop->stopped->work(stop->stopped->data);
        move_all(stop);
    } else if (!stop->reason) {
        stop->reason = "the threads of the program cannot be listed";
    }
    for (unsigned i = 0; i < stop->n; i++)
        ptrace(PTRACE_DETACH, stop->tids[i], NULL, (void *)(intptr_t)stop->signals[i]);
    stop->ns = hiera_clock_monotonic_ns() - began;
    if (folder >= 0)
        close(folder);
    stop->has_ended = true;
    return 0;
}

/* Allow a process to stop this one: Yama allows that only to a parent and to the process that PR_SET_PTRACER names. */
static void allow(pid_t tracer)
{
    char scope = '0';
    int file = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, &scope, 1) == 1 && scope == '1')
        prctl(PR_SET_PTRACER, tracer, 0, 0, 0);
    if (file >= 0)
        close(file);
}

const char *hiera_stop_threads(const HieraStopped *stopped, uint64_t *ns)
{
    enum { ROOM = STACK + sizeof(Stop) + 4096 };
    char *memory = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return "there is no memory";
    Stop *stop = (Stop *)(void *)(memory + STACK);
    *stop = (Stop){.stopped = stopped, .process = getpid(), .caller = (pid_t)syscall(SYS_gettid)};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pid_t tracer = clone(run, memory + STACK, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_UNTRACED, stop);
    if (tracer > 0) {
        allow(tracer);
        __atomic_store_n(&stop->may_begin, 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, &stop->may_begin, FUTEX_WAKE, 1, NULL, NULL, 0);
        while (waitpid(tracer, NULL, __WALL) < 0 && errno == EINTR)
            continue;
        allow(0);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    const char *reason = stop->has_ended ? stop->reason : hiera_stop_refused;
    if (ns)
        *ns = stop->ns;
    munmap(memory, ROOM);
    return reason;
}

#else

const char *hiera_stop_threads(const HieraStopped *stopped, uint64_t *ns)
{
    (void)stopped, (void)ns;
    return "threads are stopped on x86-64 alone";
}

#endif
