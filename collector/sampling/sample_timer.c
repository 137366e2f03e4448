/* See sample_timer.h. */
#include "sample_timer.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef SIGEV_THREAD_ID
#define SIGEV_THREAD_ID 4
#endif
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* The memory of a timer. The handler, in the thread of the timer, moves the head; the reader moves the tail. */
typedef struct Page {
    uint64_t head, tail; /* count samples */
    uint64_t lost, told; /* those for which there was no room; and how many of these the reader knows */
    uint64_t room;       /* samples */
    pid_t tid;
    HieraSample *samples;
} Page;

enum { SIGNAL = SIGURG };
static bool was_late;

bool hiera_sample_timer_was_late(void)
{
    return __atomic_load_n(&was_late, __ATOMIC_RELAXED);
}

static const void *address_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const void *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

/* In a thread of the program: nothing here but stores, and reading the clock. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    Page *page = info->si_value.sival_ptr;
    int saved_errno = errno;
    (void)number;
    if (info->si_code != SI_TIMER || !page || page->tid != (pid_t)syscall(SYS_gettid))
        return;
    uint32_t periods = 1 + (info->si_overrun > 0 ? (uint32_t)info->si_overrun : 0);
    if (periods > 1)
        __atomic_store_n(&was_late, true, __ATOMIC_RELAXED);
    if (page->head - __atomic_load_n(&page->tail, __ATOMIC_ACQUIRE) < page->room) {
        page->samples[page->head % page->room] = (HieraSample){hiera_clock_ticks(), address_of(context), periods};
        __atomic_store_n(&page->head, page->head + 1, __ATOMIC_RELEASE);
    } else {
        __atomic_store_n(&page->lost, page->lost + periods, __ATOMIC_RELAXED);
    }
    errno = saved_errno;
}

/* The handler stays for the rest of the process. */
static bool has_handler(void)
{
    static bool is_ours;
    struct sigaction before, ours;
    if (sigaction(SIGNAL, NULL, &before) != 0)
        return false;
    bool is_now = (before.sa_flags & SA_SIGINFO) && before.sa_sigaction == on_signal;
    if (is_now || is_ours) /* taken once; if the program has its own by now, it keeps that */
        return is_now;
    if ((before.sa_flags & SA_SIGINFO) || (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN))
        return false;
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    is_ours = sigaction(SIGNAL, &ours, NULL) == 0;
    return is_ours;
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

bool hiera_sample_timer_begin(void *map, size_t bytes, size_t page_bytes, pid_t tid, clockid_t clock, uint64_t period_ns, int *timer)
{
    Page *page = map;
    struct sigevent event;
    struct itimerspec spec;
    if (hiera_sample_timer_is_blocked(tid) || !has_handler())
        return false;
    *page = (Page){.room = bytes / sizeof(HieraSample), .tid = tid, .samples = (HieraSample *)(void *)((char *)map + page_bytes)};
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGNAL;
    event.sigev_value.sival_ptr = page;
    event.sigev_notify_thread_id = tid;
    if (syscall(SYS_timer_create, clock, &event, timer) != 0)
        return false;
    spec.it_interval.tv_sec = (time_t)(period_ns / 1000000000u);
    spec.it_interval.tv_nsec = (long)(period_ns % 1000000000u);
    spec.it_value = spec.it_interval;
    if (syscall(SYS_timer_settime, *timer, 0, &spec, NULL) == 0)
        return true;
    syscall(SYS_timer_delete, *timer);
    return false;
}

/* A signal that is on its way writes into the memory, so it stays mapped; the thread id in it lets the handler do nothing. */
void hiera_sample_timer_end(void *map, size_t bytes, int timer)
{
    Page *page = map;
    (void)bytes;
    syscall(SYS_timer_delete, timer);
    __atomic_store_n(&page->tid, 0, __ATOMIC_RELEASE);
}

bool hiera_sample_timer_peek(void *map, HieraSample *sample, uint64_t *lost)
{
    Page *page = map;
    uint64_t all = __atomic_load_n(&page->lost, __ATOMIC_RELAXED);
    *lost += all - page->told;
    page->told = all;
    if (page->tail == __atomic_load_n(&page->head, __ATOMIC_ACQUIRE))
        return false;
    *sample = page->samples[page->tail % page->room];
    return true;
}

void hiera_sample_timer_take(void *map)
{
    Page *page = map;
    __atomic_store_n(&page->tail, page->tail + 1, __ATOMIC_RELEASE);
}

bool hiera_sample_timer_is_filling(const void *map)
{
    const Page *page = map;
    return 2 * (__atomic_load_n(&page->head, __ATOMIC_RELAXED) - page->tail) >= page->room;
}
