/* Handlers of fatal signals: they write the buffers, then let the signal do what it would have done.
 *
 * They are installed where the program has the default action or a handler with SA_RESETHAND; for faults, where it has
 * any handler. A handler acts once per signal: it writes on trial, restores the program's own action, and raises the
 * signal again with the same siginfo. So exit status, core dump and handlers are those of the program, and a program
 * that uses faults on purpose pays for the first one only. A fault in this code jumps out and continues in the same
 * way.
 *
 * A launcher that ends its job sends SIGTERM to all ranks, and SIGKILL as soon as the first rank has died (Open MPI) or
 * a little later. So a rank that has written waits a moment before it dies, to let the other ranks write too. */
#include "fatal_signals.h"

#include "attach/attach.h"
#include "base/life.h"
#include "base/machine_context.h"
#include "memory/kept_memory.h"
#include "record/record.h"
#include "session.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAMED(signal)                                                                                                  \
    {                                                                                                                  \
        signal, #signal                                                                                                \
    }

/* Fatal signals; the first N_FAULTS of them are faults. */
static const struct {
    int number;
    const char *name;
} fatal[] = {NAMED(SIGSEGV), NAMED(SIGBUS),  NAMED(SIGFPE),    NAMED(SIGILL),  NAMED(SIGABRT), NAMED(SIGSYS),
             NAMED(SIGTERM), NAMED(SIGINT),  NAMED(SIGHUP),    NAMED(SIGQUIT), NAMED(SIGXCPU), NAMED(SIGXFSZ),
             NAMED(SIGPIPE), NAMED(SIGALRM), NAMED(SIGVTALRM), NAMED(SIGPROF), NAMED(SIGUSR1), NAMED(SIGUSR2)};
enum { N_FAULTS = 6, N_FATAL = sizeof fatal / sizeof fatal[0], PATIENCE_MS = 5000, LAST_MS = 1000, LINGER_MS = 200 };
enum { NOBODY, WRITES, LEAVES };

static struct sigaction programs[N_FATAL]; /* by index in `fatal`: the program's own action for the signal */
static volatile sig_atomic_t busy;         /* what the handler is doing: NOBODY, WRITES or LEAVES */
static pthread_t writer;                   /* the thread that writes the trace */
static bool noted;                         /* whether the writer has noted in the trace that the process ends */
static bool written;                       /* whether the writer has written all records */
static sigjmp_buf way_out;                 /* where the writer continues if it faults */

/* Return the index of a signal in `fatal`; it must be one of them, as only these have Hiera's handler. */
static int find(int number)
{
    int i = 0;
    while (i < N_FATAL - 1 && fatal[i].number != number)
        i++;
    return i;
}

/* Whether the signal comes again when the handler returns, because the faulting instruction is executed again. */
static bool comes_again(int number, const siginfo_t *info)
{
    bool fault = number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL;
    return fault && info->si_code > 0 && !(number == SIGBUS && info->si_code == BUS_MCEERR_AO);
}

/* Whether the kernel has called the handler: then `info` is directly above the handler's frame. A program may also get
 * the handler from sigaction() and call it; then `info` may be NULL or invalid. */
static bool is_from_kernel(const siginfo_t *info, const void *frame)
{
    return (uintptr_t)info > (uintptr_t)frame && (uintptr_t)info - (uintptr_t)frame < 4096;
}

/* Restore the program's action for the signal, and raise the signal again. `info` may be NULL. */
static void hand_over(int number, siginfo_t *info)
{
    sigaction(number, &programs[find(number)], NULL);
    if (info && comes_again(number, info))
        return;
    pid_t thread = (pid_t)syscall(SYS_gettid);
    if (!info || syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, number, info) != 0)
        syscall(SYS_tgkill, getpid(), thread, number);
}

/* Return true in the first thread with a fatal signal: that thread writes. In any other thread, wait until the first
 * has written, but only for a limited time. */
static bool is_first(void)
{
    static const struct timespec moment = {0, 1000000};
    for (int i = 0; i < PATIENCE_MS && busy != LEAVES; i++) {
        if (__sync_bool_compare_and_swap(&busy, NOBODY, WRITES))
            return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

/* Undo the note that the process ends here, because the process goes on. */
static void live_on(void)
{
    writer = 0;
    if (noted)
        hiera_session_live_on();
    busy = NOBODY;
    __atomic_sub_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
}

/* End a call that was left (by longjmp, say) before the signal came. This reads the frame of the call on a stack that
 * may be damaged. */
static void check_left_guarded(uintptr_t stack)
{
    writer = pthread_self();
    if (sigsetjmp(way_out, 1) == 0)
        hiera_call_check_left(stack);
}

static void write_guarded(int number)
{
    written = false;
    noted = hiera_session_note_end("signal", number, fatal[find(number)].name);
    writer = pthread_self();
    __atomic_add_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
    if (sigsetjmp(way_out, 1) == 0)
        written = hiera_session_write_carefully();
    else
        hiera_session_give_up();
}

/* Whether the signal was sent by another process, in a job of several ranks: then a launcher may be ending the job. */
static bool ends_job(int number, const siginfo_t *info)
{
    return (number == SIGTERM || number == SIGINT) && info && info->si_code == SI_USER && info->si_pid != getpid() &&
           hiera_job.size > 1;
}

static void linger(void)
{
    struct timespec left = {0, LINGER_MS * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

static void on_fatal(int number, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    siginfo_t *sent = is_from_kernel(info, __builtin_frame_address(0)) ? info : NULL;
    if (busy == WRITES && writer && pthread_equal(writer, pthread_self()))
        siglongjmp(way_out, 1);
    if (getpid() == hiera_life.pid && is_first()) {
        if (sent) /* the kernel has sent the signal: then `context` is valid, too */
            check_left_guarded(hiera_context_stack(context));
        write_guarded(number);
        if (programs[find(number)].sa_handler != SIG_DFL) {
            live_on();
        } else {
            busy = LEAVES;
            if (written)
                hiera_kept_end();
            hiera_attach_end();
            if (ends_job(number, sent))
                linger();
        }
    }
    hand_over(number, sent);
    errno = saved_errno;
}

/* Wait until the process has ended, or until this thread's calls are recorded again. If the process still exists some
 * time after it should have ended (a debugger holds the signal, or it is the first process of a container), it goes on.
 */
int hiera_idle_at_last(void)
{
    static const struct timespec moment = {0, 100000};
    int saved_errno = errno;
    bool other = busy && hiera_life.pid == getpid() && !pthread_equal(writer, pthread_self());
    int left = 10 * PATIENCE_MS, last = 10 * LAST_MS;
    for (; other && busy && left > 0 && last > 0; left--, last -= busy == LEAVES)
        syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &moment,
                NULL); /* the system call itself, because libc's function is a cancellation point */
    if (busy == LEAVES && __sync_bool_compare_and_swap(&busy, LEAVES, WRITES))
        live_on();
    errno = saved_errno;
    return hiera_may_be_idle();
}

/* Whether the program's action for a signal will probably end the process. For a fault it will, even if it is a
 * handler: most handlers (UCX, Fortran libraries) print a message and end the process. */
static bool ends_process(const struct sigaction *action, bool fault)
{
    if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN)
        return action->sa_handler == SIG_DFL;
    return fault || (action->sa_flags & SA_RESETHAND);
}

void hiera_signals_arm(void)
{
    struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART, .sa_sigaction = on_fatal};
    int saved_errno = errno;
    sigfillset(&ours.sa_mask);
    for (int i = 0; i < N_FAULTS;
         i++) /* not blocked: faults in the handler must reach it, and breakpoints their own handler */
        sigdelset(&ours.sa_mask, fatal[i].number);
    sigdelset(&ours.sa_mask, SIGTRAP);
    hiera_thread_current(); /* makes this thread's state, with an alternate signal stack */
    for (int i = 0; i < N_FATAL; i++)
        if (sigaction(fatal[i].number, NULL, &programs[i]) == 0 && ends_process(&programs[i], i < N_FAULTS))
            sigaction(fatal[i].number, &ours, NULL);
    errno = saved_errno;
}
