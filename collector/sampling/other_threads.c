/* See other_threads.h. The list of threads is read without the lock and without malloc, which the lock's holder must
 * not wait for. */
#include "other_threads.h"

#include "base/settings.h"
#include "memory/signal_safe_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS_MAX = 1024 };

/* Layout of a directory entry as the system call getdents64 returns it. */
typedef struct Entry {
    uint64_t inode;
    int64_t offset;
    uint16_t bytes;
    unsigned char type;
    char name[];
} Entry;

static pid_t listed[THREADS_MAX]; /* thread ids in /proc/self/task, without the helper thread, which reads them */
static size_t n_listed;

static HieraSampleRing *rings;
static size_t n_rings, room;

static void list_entries(const char *entries, long bytes, pid_t own)
{
    for (long at = 0; at < bytes;) {
        const Entry *entry = (const Entry *)(const void *)(entries + at);
        pid_t tid = (pid_t)strtol(entry->name, NULL, 10);
        if (tid > 0 && tid != own && n_listed < THREADS_MAX)
            listed[n_listed++] = tid;
        at += entry->bytes;
    }
}

/* The number of links of the folder gives the number of threads: while it stays the same, the threads are probably the
 * same. */
static bool is_same_number(void)
{
    static nlink_t n_links;
    struct stat folder;
    bool good = stat("/proc/self/task", &folder) == 0, is_same = good && folder.st_nlink == n_links;
    n_links = good ? folder.st_nlink : 0;
    return is_same;
}

bool hiera_other_threads_list(bool in_any_case, bool *has_changed)
{
    static _Alignas(Entry) char entries[4096];
    pid_t own = (pid_t)syscall(SYS_gettid);
    *has_changed = !is_same_number();
    if (!*has_changed && !in_any_case)
        return false;
    int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long n = 0;
    n_listed = 0;
    while (fd >= 0 && (n = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0)
        list_entries(entries, n, own);
    if (fd >= 0)
        syscall(SYS_close, fd);
    return true;
}

static bool is_listed(pid_t tid)
{
    for (size_t i = 0; i < n_listed; i++)
        if (listed[i] == tid)
            return true;
    return false;
}

static HieraSampleRing *find(pid_t tid)
{
    for (size_t i = 0; i < n_rings; i++)
        if (rings[i].tid == tid)
            return &rings[i];
    return NULL;
}

static bool make_room(void)
{
    size_t more = room ? 2 * room : 16;
    HieraSampleRing *bigger =
        n_rings < room ? rings : hiera_memory_grow(rings, room * sizeof *rings, more * sizeof *rings);
    if (!bigger)
        return false;
    room = n_rings < room ? room : more;
    rings = bigger;
    return true;
}

static void close_ring(size_t i, uint64_t *lost, uint64_t *cpu_ns)
{
    hiera_sample_ring_close(&rings[i]);
    *lost += rings[i].lost;
    *cpu_ns += rings[i].cpu_ns - rings[i].cpu_began_ns;
    rings[i] = rings[--n_rings];
}

static void close_ended(uint64_t *lost, uint64_t *cpu_ns)
{
    HieraSample sample;
    for (size_t i = n_rings; i-- > 0;)
        if (!is_listed(rings[i].tid) && !hiera_sample_ring_peek(&rings[i], &sample))
            close_ring(i, lost, cpu_ns);
}

/* Close the rings of threads that now block the timers' signal, because they cannot be sampled while they do. */
static void close_blocked(uint64_t *lost, uint64_t *cpu_ns)
{
    for (size_t i = n_rings; i-- > 0;)
        if (rings[i].has_timer && is_listed(rings[i].tid) && hiera_sample_ring_is_blocked(&rings[i]))
            close_ring(i, lost, cpu_ns);
}

void hiera_other_threads_close(uint64_t *lost, uint64_t *cpu_ns)
{
    while (n_rings > 0)
        close_ring(n_rings - 1, lost, cpu_ns);
}

void hiera_other_threads_close_timers(uint64_t *lost, uint64_t *cpu_ns)
{
    for (size_t i = n_rings; i-- > 0;)
        if (rings[i].has_timer)
            close_ring(i, lost, cpu_ns);
}

void hiera_other_threads_update(bool (*is_sampled)(pid_t tid), uint64_t *lost, uint64_t *cpu_ns)
{
    close_ended(lost, cpu_ns);
    close_blocked(lost, cpu_ns);
    for (size_t i = 0; i < n_listed; i++)
        if (!is_sampled(listed[i]) && !find(listed[i]) && make_room() &&
            hiera_sample_ring_open(&rings[n_rings], listed[i], hiera_settings.sample.period_ns))
            n_rings++;
}

void hiera_other_threads_clock(void)
{
    for (size_t i = 0; i < n_rings; i++)
        hiera_sample_ring_clock(&rings[i]);
}

HieraSampleRing *hiera_other_threads(size_t *n)
{
    *n = n_rings;
    return rings;
}

bool hiera_other_threads_take(pid_t tid, HieraSampleRing *ring)
{
    HieraSampleRing *found = find(tid);
    if (!found)
        return false;
    *ring = *found;
    *found = rings[--n_rings];
    return true;
}

void hiera_other_threads_forget(void)
{
    n_rings = 0;
}
