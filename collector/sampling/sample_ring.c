#include "sample_ring.h"

#include "base/clock.h"
#include "base/settings.h"
#include "sample_timer.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The ring has room for this many seconds of samples at 100/s; a tenth at 1000/s. The kernel limits the memory that
 * a user may lock (kernel.perf_event_mlock_kb, 516 kB for each CPU): if the limit is reached, a smaller ring is tried.
 */
enum { DATA_PAGES = 4 };

/* Number by which the kernel knows the stack pointer on x86-64 (asm/perf_regs.h). */
enum { STACK_REGISTER = 7 };

typedef struct KernelSample {
    struct perf_event_header header;
    uint64_t address, ns;
    uint64_t abi, stack; /* only in rings opened with the stack pointer; abi 0: `stack` is not known */
} KernelSample;

static int refusal;

int hiera_sample_ring_refusal(void)
{
    return refusal;
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static int open_event(pid_t tid, uint64_t period_ns, bool with_stack)
{
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_TASK_CLOCK;
    attributes.sample_period = period_ns;
    attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC;
    if (with_stack) {
        attributes.sample_type |= PERF_SAMPLE_REGS_USER;
        attributes.sample_regs_user = UINT64_C(1) << STACK_REGISTER;
    }
    return (int)syscall(SYS_perf_event_open, &attributes, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool map_event(HieraSampleRing *ring, int fd)
{
    for (size_t pages = DATA_PAGES; pages > 0; pages /= 2) {
        void *map = mmap(NULL, (pages + 1) * page_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (map == MAP_FAILED)
            continue;
        ring->map = map;
        ring->bytes = pages * page_bytes();
        return true;
    }
    return false;
}

static bool open_kernel(HieraSampleRing *ring, uint64_t period_ns)
{
    int fd = open_event(ring->tid, period_ns, ring->has_stack);
    if (fd < 0) {
        refusal = errno;
        return false;
    }
    bool good = map_event(ring, fd);
    refusal = good ? 0 : errno;
    syscall(SYS_close, fd);
    if (good)
        ring->source = HIERA_SAMPLES_KERNEL;
    return good;
}

/* Return the clock of the thread's CPU time, as the kernel encodes it in a clockid_t. */
static clockid_t clock_of(pid_t tid)
{
    enum { PER_THREAD = 4, SCHEDULED = 2 };
    return (clockid_t)(((unsigned)~tid << 3) | PER_THREAD | SCHEDULED);
}

static bool read_clock(pid_t tid, uint64_t *ns)
{
    struct timespec time;
    if (syscall(SYS_clock_gettime, clock_of(tid), &time) != 0)
        return false;
    *ns = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
    return true;
}

bool hiera_sample_ring_clock(HieraSampleRing *ring)
{
    uint64_t now;
    if (!read_clock(ring->tid, &now))
        return false;
    ring->cpu_ns = now;
    return true;
}

static bool open_timer(HieraSampleRing *ring, uint64_t period_ns)
{
    ring->map = hiera_sample_timer_begin(ring->tid, clock_of(ring->tid), period_ns);
    ring->has_timer = ring->map != NULL;
    ring->source = ring->has_timer ? HIERA_SAMPLES_TIMER : HIERA_SAMPLES_NONE;
    return ring->has_timer;
}

static bool open_ring(HieraSampleRing *ring, pid_t tid, uint64_t period_ns, bool with_stack)
{
    int saved_errno = errno;
    *ring = (HieraSampleRing){.tid = tid, .has_stack = with_stack};
    bool good = read_clock(tid, &ring->cpu_began_ns) &&
                ((!hiera_settings.sample.by_timer && open_kernel(ring, period_ns)) || open_timer(ring, period_ns));
    ring->cpu_ns = ring->cpu_began_ns;
    ring->source = good ? ring->source : HIERA_SAMPLES_NONE;
    errno = saved_errno;
    return good;
}

bool hiera_sample_ring_open(HieraSampleRing *ring, pid_t tid, uint64_t period_ns)
{
    return open_ring(ring, tid, period_ns, false);
}

bool hiera_sample_ring_open_with_stack(HieraSampleRing *ring, pid_t tid, uint64_t period_ns)
{
#ifdef __x86_64__
    return open_ring(ring, tid, period_ns, true);
#else
    return open_ring(ring, tid, period_ns, false);
#endif
}

/* --- samples that the kernel writes --- */

/* Copy bytes from position `at` of the ring buffer, whose end may lie between them, to `to`. */
static void copy_out(const HieraSampleRing *ring, uint64_t at, void *to, size_t bytes)
{
    const char *data = (const char *)ring->map + page_bytes();
    size_t begin = (size_t)(at & (ring->bytes - 1)), first = ring->bytes - begin < bytes ? ring->bytes - begin : bytes;
    memcpy(to, data + begin, first);
    memcpy((char *)to + first, data, bytes - first);
}

static void take_lost(HieraSampleRing *ring, uint64_t at)
{
    struct {
        struct perf_event_header header;
        uint64_t id, lost;
    } record;
    copy_out(ring, at, &record, sizeof record);
    ring->lost += record.lost;
}

/* Return the time of a sample in ticks. It is at most some seconds old, so the speed of the counter is known well
 * enough. */
static uint64_t ticks_of(uint64_t ns)
{
    uint64_t now_ns = hiera_clock_monotonic_ns(), now = hiera_clock_ticks();
    return now_ns > ns ? now - hiera_clock_ticks_of(now_ns - ns) : now;
}

static bool peek_kernel(HieraSampleRing *ring, HieraSample *sample)
{
    struct perf_event_mmap_page *page = ring->map;
    uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), tail = page->data_tail;
    while (tail < head) {
        KernelSample record;
        copy_out(ring, tail, &record.header, sizeof record.header);
        if (record.header.type == PERF_RECORD_SAMPLE) {
            record.abi = 0;
            copy_out(ring, tail, &record, record.header.size < sizeof record ? record.header.size : sizeof record);
            *sample = (HieraSample){ticks_of(record.ns), (const void *)(uintptr_t)record.address, 1,
                                    record.abi != 0 ? (uintptr_t)record.stack : 0};
            return true;
        }
        if (record.header.type == PERF_RECORD_LOST)
            take_lost(ring, tail);
        tail = record.header.size > 0 ? tail + record.header.size : head;
        __atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
    }
    return false;
}

static void take_kernel(HieraSampleRing *ring)
{
    struct perf_event_mmap_page *page = ring->map;
    struct perf_event_header header;
    copy_out(ring, page->data_tail, &header, sizeof header);
    __atomic_store_n(&page->data_tail, page->data_tail + header.size, __ATOMIC_RELEASE);
}

/* --- rings that the kernel or a timer fills --- */

static bool peek(HieraSampleRing *ring, HieraSample *sample)
{
    if (ring->source == HIERA_SAMPLES_KERNEL)
        return peek_kernel(ring, sample);
    return ring->source == HIERA_SAMPLES_TIMER && hiera_sample_timer_peek(ring->map, sample, &ring->lost);
}

/* Many rings are compared for each sample that is taken, so the time of a ring's next sample is converted once and
 * stored. */
bool hiera_sample_ring_peek(HieraSampleRing *ring, HieraSample *sample)
{
    ring->has_next = ring->has_next || peek(ring, &ring->next);
    if (ring->has_next)
        *sample = ring->next;
    return ring->has_next;
}

void hiera_sample_ring_take(HieraSampleRing *ring)
{
    ring->has_next = false;
    if (ring->source == HIERA_SAMPLES_KERNEL)
        take_kernel(ring);
    else if (ring->source == HIERA_SAMPLES_TIMER)
        hiera_sample_timer_take(ring->map);
}

bool hiera_sample_ring_is_filling(const HieraSampleRing *ring)
{
    const struct perf_event_mmap_page *page = ring->map;
    if (ring->source == HIERA_SAMPLES_KERNEL)
        return 2 * (__atomic_load_n(&page->data_head, __ATOMIC_RELAXED) - page->data_tail) >= ring->bytes;
    return ring->source == HIERA_SAMPLES_TIMER && hiera_sample_timer_is_filling(ring->map);
}

bool hiera_sample_ring_is_blocked(const HieraSampleRing *ring)
{
    return ring->has_timer && hiera_sample_timer_is_blocked(ring->tid);
}

void hiera_sample_ring_close(HieraSampleRing *ring)
{
    if (ring->source == HIERA_SAMPLES_NONE)
        return;
    hiera_sample_ring_clock(ring);
    if (ring->has_timer)
        hiera_sample_timer_end(ring->map);
    else
        munmap(ring->map, ring->bytes + page_bytes());
    ring->source = HIERA_SAMPLES_NONE;
    ring->map = NULL;
    ring->has_timer = ring->has_next = false;
}
