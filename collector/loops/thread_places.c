#include "thread_places.h"

#include "base/clock.h"
#include "stack_words.h"
#include "task_entries.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char not_listed[] = "the threads of the program cannot be listed";

/* Whether the thread has ended. Tests its folder, since a kernel may lack some file of a living thread. */
static bool has_ended(pid_t tid)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/self/task/%ld", (long)tid);
    return stat(path, &status) != 0 && errno == ENOENT;
}

/* Read the file /proc/self/task/TID/NAME. @return  its bytes; 0: the thread has ended; -1: it cannot be read */
static ssize_t read_of(pid_t tid, const char *name, char *text, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/%s", (long)tid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, room - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    if (n > 0)
        return n;
    return has_ended(tid) ? 0 : -1;
}

/* --- the list of threads --- */

static bool has(const HieraThreadPlaces *threads, pid_t tid)
{
    for (uint32_t i = 0; i < threads->n; i++)
        if (threads->at[i].tid == tid)
            return true;
    return false;
}

/* Number of threads of this process: the link count of the folder /proc/self/task minus two. */
static uint64_t count(int folder)
{
    struct stat status;
    return fstat(folder, &status) == 0 && status.st_nlink >= 2 ? status.st_nlink - 2 : 0;
}

/* Add threads that are not in the list yet. The kernel may skip some while others end: then the counts differ.
 *
 * @return  number of threads found; 0: the kernel has skipped some */
static uint64_t add(HieraThreadPlaces *threads, int folder, uint32_t *n_new)
{
    static _Alignas(HieraTaskEntry) char entries[32768];
    pid_t own = (pid_t)syscall(SYS_gettid);
    uint64_t before = count(folder), found = 0;
    long n;
    lseek(folder, 0, SEEK_SET);
    while ((n = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long at = 0; at < n;) {
            pid_t tid = hiera_task_entry_take(entries, &at);
            found += tid > 0;
            if (tid <= 0 || tid == own || has(threads, tid) || threads->n == HIERA_PLACES_THREADS)
                continue;
            threads->at[threads->n++] = (HieraThreadPlace){.tid = tid};
            ++*n_new;
        }
    return n == 0 && found == before && found == count(folder) ? found : 0;
}

/* Two successive listings must agree: otherwise a thread could be missing because another one began while a third one
 * ended. */
const char *hiera_threads_list(HieraThreadPlaces *threads)
{
    enum { TRIES = 100 };
    int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = false, was_good = false;
    threads->n = 0;
    for (int i = 0; folder >= 0 && i < TRIES && !(good && was_good); i++) {
        uint32_t n_new = 0;
        uint64_t found = add(threads, folder, &n_new);
        was_good = good && n_new == 0;
        good = found > 0;
    }
    if (folder >= 0)
        close(folder);
    if (threads->n == HIERA_PLACES_THREADS)
        return "there are too many threads";
    return good && was_good ? NULL : not_listed;
}

/* --- which address one thread executes --- */

typedef enum State { ENDED, WAITS, RUNS, HAS_CHILD, UNKNOWN } State;

/* Whether this system call may be waiting for a child of vfork, which runs in the same memory and is no thread. */
static bool may_have_child(long call)
{
    static const long calls[] = {
#ifdef SYS_vfork
        SYS_vfork,
#endif
#ifdef SYS_clone3
        SYS_clone3,
#endif
        SYS_clone};
    bool found = false;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        found = found || call == calls[i];
    return found;
}

static State where(pid_t tid, uintptr_t *at, uintptr_t *stack)
{
    char text[512];
    ssize_t n = read_of(tid, "syscall", text, sizeof text);
    if (n <= 0)
        return n == 0 ? ENDED : UNKNOWN;
    if (strncmp(text, "running", strlen("running")) == 0)
        return RUNS;
    const char *last = strrchr(text, ' '), *before = last;
    while (before && before > text && *--before != ' ')
        continue;
    if (!last || !before)
        return UNKNOWN;
    if (may_have_child(strtol(text, NULL, 10)))
        return HAS_CHILD;
    *at = strtoull(last, NULL, 16);
    *stack = strtoull(before, NULL, 16);
    return WAITS;
}

/* --- does each thread accept a signal? --- */

/* Return the number behind a label in the text of /proc/…/status; 0: no such label. */
static unsigned long long number_of(const char *status, const char *label, int base)
{
    const char *found = strstr(status, label);
    return found ? strtoull(found + strlen(label), NULL, base) : 0;
}

const char *hiera_threads_accept(const HieraThreadPlaces *threads, int signal)
{
    static char status[8192];
    uintptr_t at, stack;
    for (uint32_t i = 0; i < threads->n; i++) {
        ssize_t n = read_of(threads->at[i].tid, "status", status, sizeof status);
        if (n == 0)
            continue;
        State state = where(threads->at[i].tid, &at, &stack);
        if (n < 0 || state == UNKNOWN)
            return "without ptrace: the states of threads cannot be read";
        if (number_of(status, "\nTracerPid:", 10) != 0)
            return "without ptrace: there is a debugger";
        if (number_of(status, "\nSigBlk:", 16) >> (signal - 1) & 1)
            return "without ptrace: a thread blocks SIGTRAP";
        if (state == HAS_CHILD)
            return "without ptrace: a thread begins a process (vfork)";
    }
    return NULL;
}

/* --- are all threads outside of some code? --- */

/* Get address and stack of the thread's last sample since sampling was begun for it. @return  false: no sample yet */
static bool sampled(HieraThreadPlace *place, uintptr_t *at, uintptr_t *stack)
{
    HieraSample sample;
    bool found = false;
    while (hiera_sample_ring_peek(&place->ring, &sample)) {
        hiera_sample_ring_take(&place->ring);
        *at = (uintptr_t)sample.address;
        *stack = sample.stack;
        found = sample.stack != 0;
    }
    return found;
}

static bool is_outside(const HieraForbidden *forbidden, int memory, uintptr_t at, uintptr_t stack)
{
    return !forbidden->is_inside(forbidden->data, at) &&
           !hiera_stack_words_have(memory, stack, forbidden->is_inside, forbidden->data);
}

static bool look(const HieraThreadPlaces *threads, HieraThreadPlace *place, const HieraForbidden *forbidden, int memory)
{
    uintptr_t at = 0, stack = 0;
    if (__atomic_load_n(&place->said_in, __ATOMIC_ACQUIRE) == threads->question &&
        is_outside(forbidden, memory, 0, __atomic_load_n(&place->said_stack, __ATOMIC_RELAXED)))
        return true;
    switch (where(place->tid, &at, &stack)) {
    case ENDED:
        return true;
    case WAITS:
        return is_outside(forbidden, memory, at, stack);
    case RUNS:
        return sampled(place, &at, &stack) && is_outside(forbidden, memory, at, stack);
    default:
        return false;
    }
}

static uint32_t look_at_all(HieraThreadPlaces *threads, const HieraForbidden *forbidden, int memory)
{
    uint32_t n_unknown = 0;
    for (uint32_t i = 0; i < threads->n; i++) {
        HieraThreadPlace *place = &threads->at[i];
        place->is_known = place->is_known || look(threads, place, forbidden, memory);
        n_unknown += !place->is_known;
    }
    return n_unknown;
}

/* Begin to sample each thread whose address is unknown; the new ring has no samples from before. */
static void begin_samples(HieraThreadPlaces *threads)
{
    enum { PERIOD_NS = 100000 };
    for (uint32_t i = 0; i < threads->n; i++)
        if (!threads->at[i].is_known && threads->at[i].ring.source == HIERA_SAMPLES_NONE)
            hiera_sample_ring_open_with_stack(&threads->at[i].ring, threads->at[i].tid, PERIOD_NS);
}

static void end_samples(HieraThreadPlaces *threads)
{
    for (uint32_t i = 0; i < threads->n; i++)
        hiera_sample_ring_close(&threads->at[i].ring);
}

const char *hiera_threads_wait_outside(HieraThreadPlaces *threads, const HieraForbidden *forbidden, uint64_t ns)
{
    static const struct timespec nap = {0, 100000};
    const char *reason = NULL;
    uint64_t until = hiera_clock_monotonic_ns() + ns;
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    for (uint32_t i = 0; i < threads->n; i++)
        threads->at[i].is_known = false;
    __atomic_store_n(&threads->question, threads->question + 1, __ATOMIC_SEQ_CST);
    if (memory < 0)
        return "the stacks of threads cannot be read";
    while (look_at_all(threads, forbidden, memory) > 0 && !reason) {
        if (hiera_clock_monotonic_ns() > until)
            reason = "without ptrace: where a thread is, is not known";
        else if (forbidden->signal != 0)
            reason = hiera_threads_accept(threads, forbidden->signal);
        if (reason)
            break;
        begin_samples(threads);
        nanosleep(&nap, NULL);
    }
    end_samples(threads);
    close(memory);
    return reason;
}

void hiera_threads_say(HieraThreadPlaces *threads, pid_t tid, uintptr_t stack)
{
    uint32_t question = __atomic_load_n(&threads->question, __ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < threads->n; i++)
        if (threads->at[i].tid == tid) {
            __atomic_store_n(&threads->at[i].said_stack, stack, __ATOMIC_RELAXED);
            __atomic_store_n(&threads->at[i].said_in, question, __ATOMIC_RELEASE);
        }
}
