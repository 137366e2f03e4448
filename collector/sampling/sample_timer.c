#include "sample_timer.h"

#include "base/clock.h"
#include "base/machine_context.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SIGEV_THREAD_ID
#define SIGEV_THREAD_ID 4
#endif
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { ROOM = 680 }; /* number of samples that a ring can hold */

/* Ring buffer of a timer. The signal handler, in the timer's thread, moves the head; the reader moves the tail. */
typedef struct Ring {
    struct Ring *next;   /* next ring in `rings` */
    uint64_t head, tail; /* number of samples stored, and taken, since the ring's timer began */
    uint64_t lost, read; /* number of periods lost because the ring was full; how many the reader knows of */
    pid_t tid;           /* thread that the timer samples; 0: the ring is free, no timer uses it */
    int timer;           /* the kernel's id of the timer */
    HieraSample samples[ROOM];
} Ring;

static Ring *rings; /* list of all rings; free rings stay in it */

enum { SIGNAL = SIGURG };

static HieraSample sample_of(const ucontext_t *context, uint32_t periods)
{
    return (HieraSample){hiera_clock_ticks(), hiera_context_address(context), periods, hiera_context_stack(context)};
}

/* Return the ring of a signal; NULL: it belongs to another thread, or to a timer of the program, which may have any
 * value. */
static Ring *ring_of(const siginfo_t *info)
{
    Ring *ring = info->si_code == SI_TIMER ? __atomic_load_n(&rings, __ATOMIC_ACQUIRE) : NULL;
    while (ring && ring != info->si_value.sival_ptr)
        ring = ring->next;
    return ring && __atomic_load_n(&ring->tid, __ATOMIC_ACQUIRE) == (pid_t)syscall(SYS_gettid) ? ring : NULL;
}

/* Handle a signal of a timer, in the sampled thread of the program: only store values and read the clock. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    Ring *ring = ring_of(info);
    (void)number;
    if (!ring)
        return;
    uint32_t periods = 1 + (info->si_overrun > 0 ? (uint32_t)info->si_overrun : 0);
    if (ring->head - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) < ROOM) {
        ring->samples[ring->head % ROOM] = sample_of(context, periods);
        __atomic_store_n(&ring->head, ring->head + 1, __ATOMIC_RELEASE);
    } else {
        __atomic_store_n(&ring->lost, ring->lost + periods, __ATOMIC_RELAXED);
    }
    errno = saved_errno;
}

static bool is_ours; /* true when our handler was installed; it stays for the rest of the process, unless the program
                        installs its own */

static bool is_handled(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_signal;
}

static bool has_handler(void)
{
    struct sigaction before, ours;
    if (sigaction(SIGNAL, NULL, &before) != 0)
        return false;
    if (is_ours || is_handled(&before))
        return is_handled(&before);
    if ((before.sa_flags & SA_SIGINFO) || (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN))
        return false;
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    is_ours = sigaction(SIGNAL, &ours, NULL) == 0;
    return is_ours;
}

static bool has_timers(void)
{
    for (const Ring *ring = __atomic_load_n(&rings, __ATOMIC_ACQUIRE); ring; ring = ring->next)
        if (__atomic_load_n(&ring->tid, __ATOMIC_RELAXED) != 0)
            return true;
    return false;
}

bool hiera_sample_timer_is_unwanted(void)
{
    struct sigaction now;
    return is_ours && has_timers() && sigaction(SIGNAL, NULL, &now) == 0 && !is_handled(&now);
}

bool hiera_sample_timer_is_blocked(pid_t tid)
{
    static const char label[] = "\nSigBlk:";
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return true;
    text[n] = '\0';
    const char *found = strstr(text, label);
    return !found || (strtoull(found + sizeof label - 1, NULL, 16) >> (SIGNAL - 1) & 1);
}

/* Return a ring that no timer uses, or a new one; NULL: no memory. */
static Ring *take_ring(void)
{
    for (Ring *ring = rings; ring; ring = ring->next)
        if (ring->tid == 0)
            return ring;
    Ring *ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return ring == MAP_FAILED ? NULL : ring;
}

/* Add a ring to the list, without the lock: the helper and beginning threads call this and do not hold it. */
static void list(Ring *ring)
{
    for (const Ring *known = rings; known; known = known->next)
        if (known == ring)
            return;
    ring->next = rings;
    __atomic_store_n(&rings, ring, __ATOMIC_RELEASE);
}

static bool start(Ring *ring, pid_t tid, clockid_t clock, uint64_t period_ns)
{
    struct sigevent event;
    struct itimerspec spec;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGNAL;
    event.sigev_value.sival_ptr = ring;
    event.sigev_notify_thread_id = tid;
    if (syscall(SYS_timer_create, clock, &event, &ring->timer) != 0)
        return false;
    spec.it_interval.tv_sec = (time_t)(period_ns / 1000000000u);
    spec.it_interval.tv_nsec = (long)(period_ns % 1000000000u);
    spec.it_value = spec.it_interval;
    if (syscall(SYS_timer_settime, ring->timer, 0, &spec, NULL) == 0)
        return true;
    syscall(SYS_timer_delete, ring->timer);
    return false;
}

void *hiera_sample_timer_begin(pid_t tid, clockid_t clock, uint64_t period_ns)
{
    static char is_taken; /* true while a thread is in the code below: several threads may begin at the same time */
    Ring *ring = NULL;
    if (hiera_sample_timer_is_blocked(tid) || !has_handler() || __atomic_test_and_set(&is_taken, __ATOMIC_ACQUIRE))
        return NULL;
    ring = take_ring();
    if (ring) {
        ring->head = ring->tail = ring->lost = ring->read = 0;
        list(ring);
        __atomic_store_n(&ring->tid, tid, __ATOMIC_RELEASE);
        if (!start(ring, tid, clock, period_ns)) {
            __atomic_store_n(&ring->tid, 0, __ATOMIC_RELEASE);
            ring = NULL;
        }
    }
    __atomic_clear(&is_taken, __ATOMIC_RELEASE);
    return ring;
}

void hiera_sample_timer_end(void *data)
{
    Ring *ring = data;
    syscall(SYS_timer_delete, ring->timer);
    __atomic_store_n(&ring->tid, 0, __ATOMIC_RELEASE);
}

bool hiera_sample_timer_peek(void *data, HieraSample *sample, uint64_t *lost)
{
    Ring *ring = data;
    uint64_t all = __atomic_load_n(&ring->lost, __ATOMIC_RELAXED);
    *lost += all - ring->read;
    ring->read = all;
    if (ring->tail == __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE))
        return false;
    *sample = ring->samples[ring->tail % ROOM];
    return true;
}

void hiera_sample_timer_take(void *data)
{
    Ring *ring = data;
    __atomic_store_n(&ring->tail, ring->tail + 1, __ATOMIC_RELEASE);
}

bool hiera_sample_timer_is_filling(const void *data)
{
    const Ring *ring = data;
    return 2 * (__atomic_load_n(&ring->head, __ATOMIC_RELAXED) - ring->tail) >= ROOM;
}
