/* Groups of counters, with a kernel of this test's own: syscall() and ioctl() are renamed in it. */
#include "base/event_group.h"

#include "harness/plain.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- the kernel --- */

enum { MOST = 64, HIGH = 500 };
enum {
    INSTRUCTIONS = 1 << HIERA_EVENT_INSTRUCTIONS,
    CYCLES = 1 << HIERA_EVENT_CYCLES,
    MISSES = 1 << HIERA_EVENT_CACHE_MISSES
};

/* Counters, by descriptor - HIGH. */
static struct Counter {
    bool is_open, is_foreign; /* foreign: the number belongs to another file */
    bool is_counting;
    int leader; /* its descriptor; its own if it leads */
    uint64_t id, config, count;
} counters[MOST];
static uint64_t enabled_ns, running_ns;
static int refused[PERF_COUNT_HW_MAX]; /* errno, by event of the kernel */
static int n_opened, n_refused, n_foreign_reads, n_foreign_closes;
static bool no_high_number;

static struct Counter *counter_of(int fd)
{
    static struct Counter none;
    bool is_one = fd >= HIGH && fd < HIGH + MOST && counters[fd - HIGH].is_open && !counters[fd - HIGH].is_foreign;
    return is_one ? &counters[fd - HIGH] : &none;
}

static long fail(int error)
{
    errno = error;
    return -1;
}

static long open_counter(const struct perf_event_attr *attributes, int pid, int cpu, int leader, unsigned long flags)
{
    static uint64_t last_id = 1000;
    int fd = 0;
    EXPECT(0, pid);
    EXPECT(-1, cpu);
    EXPECT(PERF_FLAG_FD_CLOEXEC, flags);
    EXPECT(PERF_TYPE_HARDWARE, attributes->type);
    EXPECT(1, attributes->exclude_kernel && attributes->exclude_hv && !attributes->inherit &&
                  attributes->disabled == (leader < 0));
    n_refused += refused[attributes->config] != 0;
    if (refused[attributes->config])
        return fail(refused[attributes->config]);
    if (leader >= 0 && !counter_of(leader)->is_open)
        return fail(EBADF);
    while (counters[fd].is_open)
        fd++;
    counters[fd] = (struct Counter){.is_open = true,
                                    .leader = leader >= 0 ? leader : HIGH + fd,
                                    .id = ++last_id,
                                    .config = attributes->config,
                                    .count = 1000000};
    n_opened++;
    return fd; /* a low number */
}

int hiera_file_move_up(int fd);
int hiera_file_move_up(int fd)
{
    return no_high_number ? fd : fd + HIGH;
}

static long read_counters(int fd, uint64_t *words)
{
    n_foreign_reads += !counter_of(fd)->is_open;
    size_t n = 3;
    words[0] = 0;
    words[1] = enabled_ns;
    words[2] = running_ns;
    for (int i = 0; i < MOST; i++) {
        if (!counters[i].is_open || counters[i].is_foreign || counters[i].leader != fd)
            continue;
        words[0]++;
        words[n++] = counters[i].count;
        words[n++] = counters[i].id;
    }
    return (long)(n * sizeof *words);
}

static long close_counter(int fd)
{
    struct Counter *counter = &counters[fd >= HIGH ? fd - HIGH : fd];
    n_foreign_closes += counter->is_foreign;
    counter->is_open = false;
    return 0;
}

long syscall(long number, ...)
{
    va_list list;
    long result = -1;
    va_start(list, number);
    if (number == SYS_perf_event_open) {
        const struct perf_event_attr *attributes = va_arg(list, const struct perf_event_attr *);
        int pid = va_arg(list, int), cpu = va_arg(list, int), leader = va_arg(list, int);
        result = open_counter(attributes, pid, cpu, leader, va_arg(list, unsigned));
    } else if (number == SYS_read) {
        int fd = va_arg(list, int);
        result = read_counters(fd, va_arg(list, uint64_t *));
    } else if (number == SYS_close) {
        result = close_counter(va_arg(list, int));
    }
    va_end(list);
    return result;
}

/* All members of a group change together, when its leader does. */
static void set_counting(int leader, bool is_counting)
{
    for (int i = 0; i < MOST; i++)
        counters[i].is_counting = counters[i].leader == leader ? is_counting : counters[i].is_counting;
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list list;
    const struct Counter *counter = counter_of(no_high_number ? fd + HIGH : fd);
    if (!counter->is_open)
        return (int)fail(ENOTTY);
    if (request == PERF_EVENT_IOC_ENABLE || request == PERF_EVENT_IOC_DISABLE)
        set_counting(fd, request == PERF_EVENT_IOC_ENABLE);
    if (request != PERF_EVENT_IOC_ID)
        return 0;
    va_start(list, request);
    *va_arg(list, uint64_t *) = counter->id;
    va_end(list);
    return 0;
}

/* Time passes, in which counters count. */
static void count(uint64_t n, uint64_t counted_ns, uint64_t all_ns)
{
    for (int i = 0; i < MOST; i++)
        counters[i].count += counters[i].is_counting ? n * (counters[i].config + 1) : 0;
    running_ns += counted_ns;
    enabled_ns += all_ns;
}

static void reset(HieraEventGroup *group)
{
    hiera_events_close(group);
    for (int i = 0; i < MOST; i++)
        EXPECT(0, counters[i].is_open && !counters[i].is_foreign);
    memset(counters, 0, sizeof counters);
    memset(refused, 0, sizeof refused);
    n_opened = n_refused = 0;
}

/* --- tests --- */

/* Of each event as many more as its number in the kernel's list tells. */
static void check_counts(void)
{
    HieraEventGroup group = {.n = 0};
    HieraEventCounts begin, end;
    int errors[HIERA_EVENTS];
    uint64_t n = 0;
    EXPECT(0, hiera_events_open(&group, INSTRUCTIONS | MISSES, errors));
    hiera_events_read(&group, &begin);
    count(10, 500, 500);
    hiera_events_read(&group, &end);
    EXPECT(1, hiera_events_between(&begin, &end, HIERA_EVENT_INSTRUCTIONS, &n));
    EXPECT(10 * (PERF_COUNT_HW_INSTRUCTIONS + 1), n);
    EXPECT(1, hiera_events_between(&begin, &end, HIERA_EVENT_CACHE_MISSES, &n));
    EXPECT(10 * (PERF_COUNT_HW_CACHE_MISSES + 1), n);
    EXPECT(0, hiera_events_between(&begin, &end, HIERA_EVENT_CYCLES, &n)); /* nobody has asked for it */
    EXPECT(0, hiera_events_open(&group, INSTRUCTIONS, errors));
    EXPECT(2, n_opened);
    reset(&group);
}

static void check_shared_counters(void)
{
    HieraEventGroup group = {.n = 0};
    HieraEventCounts begin, end, never;
    int errors[HIERA_EVENTS];
    uint64_t n = 0;
    hiera_events_open(&group, CYCLES, errors);
    hiera_events_read(&group, &begin);
    count(30, 250, 1000);
    hiera_events_read(&group, &end);
    EXPECT(1, hiera_events_between(&begin, &end, HIERA_EVENT_CYCLES, &n));
    EXPECT(120, n);
    count(0, 0, 1000);
    hiera_events_read(&group, &never);
    EXPECT(0, hiera_events_between(&end, &never, HIERA_EVENT_CYCLES, &n));
    counters[0].count += UINT64_MAX / 2; /* more than there is room for */
    count(0, 1, 1000);
    hiera_events_read(&group, &end);
    EXPECT(1, hiera_events_between(&never, &end, HIERA_EVENT_CYCLES, &n));
    EXPECT(1, n == UINT64_MAX);
    reset(&group);
}

/* What another assertion asks for comes into the same group. */
static void check_more_events(void)
{
    HieraEventGroup group = {.n = 0};
    HieraEventCounts outer, inner, end;
    int errors[HIERA_EVENTS];
    uint64_t n = 0;
    hiera_events_open(&group, CYCLES, errors);
    hiera_events_read(&group, &outer);
    hiera_events_open(&group, INSTRUCTIONS | CYCLES, errors);
    hiera_events_read(&group, &inner);
    EXPECT(HIGH, counters[1].leader);
    count(5, 10, 10);
    hiera_events_read(&group, &end);
    EXPECT(1, hiera_events_between(&outer, &end, HIERA_EVENT_CYCLES, &n));
    EXPECT(5, n);
    EXPECT(0, hiera_events_between(&outer, &end, HIERA_EVENT_INSTRUCTIONS, &n));
    EXPECT(1, hiera_events_between(&inner, &end, HIERA_EVENT_INSTRUCTIONS, &n));
    EXPECT(10, n);
    reset(&group);
}

/* An event that the machine does not have takes none of the others away, and is asked for once. */
static void check_refusals(void)
{
    HieraEventGroup group = {.n = 0};
    HieraEventCounts begin, end;
    int errors[HIERA_EVENTS];
    uint64_t n = 0;
    refused[PERF_COUNT_HW_INSTRUCTIONS] = ENOENT;
    for (int i = 0; i < 3; i++)
        EXPECT(i == 0, hiera_events_open(&group, INSTRUCTIONS | CYCLES, errors));
    EXPECT(1, n_refused);
    EXPECT(1, n_opened);
    hiera_events_open(&group, MISSES, errors);
    EXPECT(0, errors[HIERA_EVENT_INSTRUCTIONS]);
    reset(&group);
    group = (HieraEventGroup){.n = 0};
    refused[PERF_COUNT_HW_INSTRUCTIONS] = refused[PERF_COUNT_HW_CPU_CYCLES] = EPERM;
    EXPECT(1, hiera_events_open(&group, INSTRUCTIONS | CYCLES, errors));
    EXPECT(EPERM, errors[HIERA_EVENT_INSTRUCTIONS]);
    EXPECT(EPERM, errors[HIERA_EVENT_CYCLES]);
    EXPECT(0, errors[HIERA_EVENT_CACHE_MISSES]);
    hiera_events_read(&group, &begin);
    hiera_events_read(&group, &end);
    EXPECT(0, hiera_events_between(&begin, &end, HIERA_EVENT_CYCLES, &n));
    EXPECT(0, n_foreign_reads);
    reset(&group);
}

/* The program closes descriptors, all or some, and their numbers become others'. */
static void check_lost_descriptors(unsigned lost, bool is_foreign)
{
    HieraEventGroup group = {.n = 0};
    HieraEventCounts begin, end, after;
    int errors[HIERA_EVENTS];
    uint64_t n = 0;
    hiera_events_open(&group, INSTRUCTIONS | CYCLES | MISSES, errors);
    hiera_events_read(&group, &begin);
    for (int i = 0; i < 3; i++) {
        counters[i].is_foreign = (lost >> i & 1) && is_foreign;
        counters[i].is_open = !(lost >> i & 1) || is_foreign;
    }
    hiera_events_read(&group, &end);
    EXPECT(0, hiera_events_between(&begin, &end, HIERA_EVENT_CYCLES, &n));
    hiera_events_open(&group, CYCLES, errors);
    hiera_events_read(&group, &after);
    EXPECT(0, hiera_events_between(&begin, &after, HIERA_EVENT_CYCLES, &n));
    count(7, 10, 10);
    hiera_events_read(&group, &end);
    EXPECT(1, hiera_events_between(&after, &end, HIERA_EVENT_CYCLES, &n));
    EXPECT(7, n);
    EXPECT(0, n_foreign_reads);
    EXPECT(0, n_foreign_closes);
    reset(&group);
}

/* The leader is lost, and an event is added before anything is read. */
static void check_lost_leader(void)
{
    HieraEventGroup group = {.n = 0};
    HieraEventCounts counts;
    int errors[HIERA_EVENTS];
    hiera_events_open(&group, CYCLES, errors);
    counters[0].is_open = false;
    EXPECT(0, hiera_events_open(&group, INSTRUCTIONS, errors));
    hiera_events_read(&group, &counts);
    EXPECT(INSTRUCTIONS, counts.has);
    EXPECT(2, counts.number);
    reset(&group);
}

static void check_no_high_number(void)
{
    HieraEventGroup group = {.n = 0};
    int errors[HIERA_EVENTS];
    no_high_number = true;
    EXPECT(1, hiera_events_open(&group, CYCLES, errors));
    EXPECT(EMFILE, errors[HIERA_EVENT_CYCLES]);
    EXPECT(0, counters[0].is_open);
    no_high_number = false;
    reset(&group);
}

int main(void)
{
    check_counts();
    check_shared_counters();
    check_more_events();
    check_refusals();
    for (unsigned lost = 1; lost < 8; lost++) {
        check_lost_descriptors(lost, false);
        check_lost_descriptors(lost, true);
    }
    check_lost_leader();
    check_no_high_number();
    return n_failed > 0;
}
