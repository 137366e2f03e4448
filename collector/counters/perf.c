/* Counters that the kernel and the processor keep for a thread.
 *
 * CPU time, page faults and context switches are always available (getrusage, clock_gettime). Instructions, cycles and
 * the like need counters of the processor (base/event_group.h): each thread opens its group when it first reads one of
 * them. The helper thread reads the counters that are always available for the whole process. */
#include "base/event_group.h"
#include "base/variable.h"
#include "counter.h"

#include <math.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { OF_USAGE, OF_CLOCK, OF_EVENTS }; /* HieraNamedCounter.source: what reads the counter */
enum {
    USER_TIME,
    SYSTEM_TIME,
    PAGE_FAULTS,
    MINOR_FAULTS,
    MAJOR_FAULTS,
    CONTEXT_SWITCHES,
    BLOCKS_IN,
    BLOCKS_OUT,
    N_USAGE
};

static const struct {
    const char *name, *unit, *help;
    uint32_t source, item;
} rows[] = {
    {"task-clock", "ns", "time in which the thread had a processor", OF_CLOCK, 0},
    {"user-time", "ns", "of that, in the program", OF_USAGE, USER_TIME},
    {"system-time", "ns", "of that, in the kernel", OF_USAGE, SYSTEM_TIME},
    {"page-faults", "", "page faults", OF_USAGE, PAGE_FAULTS},
    {"minor-faults", "", "page faults that read nothing from a disk", OF_USAGE, MINOR_FAULTS},
    {"major-faults", "", "page faults that read from a disk", OF_USAGE, MAJOR_FAULTS},
    {"context-switches", "", "how often it gave the processor away, or lost it", OF_USAGE, CONTEXT_SWITCHES},
    {"blocks-in", "", "times that the file system read for it", OF_USAGE, BLOCKS_IN},
    {"blocks-out", "", "times that the file system wrote for it", OF_USAGE, BLOCKS_OUT},
    {"instructions", "", "instructions in user mode", OF_EVENTS, HIERA_EVENT_INSTRUCTIONS},
    {"cycles", "", "cycles of the processor in user mode", OF_EVENTS, HIERA_EVENT_CYCLES},
    {"cache-references", "", "accesses to the last level of the cache", OF_EVENTS, HIERA_EVENT_CACHE_REFERENCES},
    {"cache-misses", "", "of those, the ones that went to memory", OF_EVENTS, HIERA_EVENT_CACHE_MISSES},
    {"branches", "", "branches in user mode", OF_EVENTS, HIERA_EVENT_BRANCHES},
    {"branch-misses", "", "of those, the ones that were predicted wrongly", OF_EVENTS, HIERA_EVENT_BRANCH_MISSES},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

/* --- hardware events of a thread --- */

typedef struct Events {
    HieraEventGroup group;
    HieraEventCounts last;
    uint64_t before[HIERA_EVENTS]; /* [event]: counts of the thread's earlier groups, which the program has closed */
    uint64_t counted[HIERA_EVENTS];
} Events;

static __thread Events *mine __attribute__((tls_model("initial-exec")));
static uint32_t wanted; /* bit set of the HIERA_EVENT_… for which there is a counter */

/* Return the events of this thread, allocated at first by mmap(), since the thread may be inside malloc; NULL: none. */
static Events *events_of_thread(void)
{
    if (!mine) {
        void *memory = mmap(NULL, sizeof *mine, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mine = memory == MAP_FAILED ? NULL : memory;
        hiera_counters_note_thread();
    }
    return mine;
}

static void end_thread(void)
{
    if (!mine)
        return;
    hiera_events_close(&mine->group);
    munmap(mine, sizeof *mine);
    mine = NULL;
}

/* Update the thread's counts by a reading. A new group counts from zero, on top of the earlier counts. */
static void count_on(Events *events, const HieraEventCounts *now)
{
    HieraEventCounts zero = {.number = now->number, .has = now->has};
    bool is_new = now->number != events->last.number;
    for (unsigned i = 0; i < HIERA_EVENTS; i++) {
        uint64_t count = 0;
        if (is_new)
            events->before[i] = events->counted[i];
        if (hiera_events_between(&zero, now, i, &count) && events->before[i] + count > events->counted[i])
            events->counted[i] = events->before[i] + count;
    }
    events->last = *now;
}

/* Set `reason` of counters whose event this thread could not open; no thread reads them from then on. */
static void note_errors(HieraNamedCounter *const *counters, unsigned n, const int errors[HIERA_EVENTS])
{
    for (unsigned i = 0; i < n; i++)
        if (errors[counters[i]->item] != 0)
            counters[i]->reason = hiera_events_reason(errors[counters[i]->item]);
}

static void read_events(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    Events *events = hiera_counters_are_of_process() ? NULL : events_of_thread();
    HieraEventCounts now;
    int errors[HIERA_EVENTS];
    if (!events)
        return;
    if (hiera_events_open(&events->group, __atomic_load_n(&wanted, __ATOMIC_RELAXED), errors))
        note_errors(counters, n, errors);
    hiera_events_read(&events->group, &now);
    if (now.number != 0)
        count_on(events, &now);
    for (unsigned i = 0; i < n; i++)
        if (now.number != 0 && (now.has & 1u << counters[i]->item))
            values[i] = hiera_variable_of_unsigned(events->counted[counters[i]->item]);
}

/* --- counters that are always available: getrusage(), clock_gettime() --- */

static uint64_t ns_of(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

static void read_usage(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    struct rusage usage = {.ru_minflt = 0};
    getrusage(hiera_counters_are_of_process() ? RUSAGE_SELF : RUSAGE_THREAD, &usage);
    uint64_t numbers[N_USAGE] = {
        [USER_TIME] = ns_of(&usage.ru_utime),
        [SYSTEM_TIME] = ns_of(&usage.ru_stime),
        [PAGE_FAULTS] = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt,
        [MINOR_FAULTS] = (uint64_t)usage.ru_minflt,
        [MAJOR_FAULTS] = (uint64_t)usage.ru_majflt,
        [CONTEXT_SWITCHES] = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw,
        [BLOCKS_IN] = (uint64_t)usage.ru_inblock,
        [BLOCKS_OUT] = (uint64_t)usage.ru_oublock,
    };
    for (unsigned i = 0; i < n; i++)
        values[i] = hiera_variable_of_unsigned(numbers[counters[i]->item]);
}

static void read_clock(unsigned n, double *values)
{
    struct timespec time = {.tv_sec = 0};
    clock_gettime(hiera_counters_are_of_process() ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &time);
    for (unsigned i = 0; i < n; i++)
        values[i] = hiera_variable_of_unsigned((uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec);
}

static void read_counters(HieraNamedCounter *const *counters, unsigned n, double *values)
{
    if (counters[0]->source == OF_USAGE)
        read_usage(counters, n, values);
    else if (counters[0]->source == OF_CLOCK)
        read_clock(n, values);
    else
        read_events(counters, n, values);
}

/* --- opening and listing counters --- */

static const char *missing(void)
{
    return NULL;
}

/* Whether the kernel counts the event; tried in this thread, with a group that is closed at once. Returns the reason,
 * or NULL if it does. */
static const char *try_event(unsigned event)
{
    HieraEventGroup group = {.n = 0};
    int errors[HIERA_EVENTS];
    const char *reason = hiera_events_open(&group, 1u << event, errors) ? hiera_events_reason(errors[event]) : NULL;
    hiera_events_close(&group);
    return reason;
}

static void fill(HieraNamedCounter *counter, unsigned row)
{
    counter->source = rows[row].source;
    counter->item = rows[row].item;
    counter->is_by_thread = true;
    counter->is_of_thread_alone = rows[row].source == OF_EVENTS;
    counter->reason = rows[row].source == OF_EVENTS ? try_event(rows[row].item) : NULL;
    hiera_counter_describe(counter, rows[row].unit, rows[row].help);
}

static const char *name_of(unsigned row)
{
    return rows[row].name;
}

static const HieraCounterTable table = {"perf", N_ROWS, name_of, fill};

static void open_counter(HieraNamedCounter *counter, const char *rest)
{
    hiera_counter_table_open(&table, counter, rest);
    if (!counter->reason && counter->source == OF_EVENTS)
        __atomic_fetch_or(&wanted, 1u << counter->item, __ATOMIC_RELAXED);
}

static void each(HieraCounterVisit *visit, void *data)
{
    hiera_counter_table_each(&table, visit, data);
}

const HieraCounterFamily hiera_counters_perf = {
    .name = "perf",
    .help = "what the kernel and the processor count of a thread",
    .missing = missing,
    .each = each,
    .open = open_counter,
    .read = read_counters,
    .end_thread = end_thread,
};
