#include "measured.h"

#include "base/life.h"
#include "base/message.h"
#include "job/job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

typedef struct HieraMeasuring {
    HieraEventGroup events;
    uint32_t room;
    HieraUsage begins[]; /* by index of the open region: what the thread had used at the region's begin */
} HieraMeasuring;

#define BIT(what) (1u << (what))
enum {
    OF_USAGE = BIT(HIERA_MEASURED_USER_TIME) | BIT(HIERA_MEASURED_PAGE_FAULTS) | BIT(HIERA_MEASURED_CONTEXT_SWITCHES)
};

/* --- memory for measurements at begins of assertions --- */

static size_t bytes_of(uint32_t room)
{
    return sizeof(HieraMeasuring) + room * sizeof(HieraUsage);
}

/* Make room for the measurement at a region's begin. Uses no malloc: the thread may be inside a call of malloc. */
static bool make_room(HieraThread *thread, uint32_t index)
{
    enum { FIRST_ROOM = 32 };
    HieraMeasuring *old = thread->measuring;
    uint32_t room = old ? old->room : FIRST_ROOM;
    while (room <= index)
        room *= 2;
    void *memory = old ? mremap(old, bytes_of(old->room), bytes_of(room), MREMAP_MAYMOVE)
                       : mmap(NULL, bytes_of(room), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    thread->measuring = memory;
    thread->measuring->room = room;
    return true;
}

void hiera_measure_stop(HieraThread *thread)
{
    int saved_errno = errno;
    if (thread->measuring) {
        hiera_events_close(&thread->measuring->events);
        thread->measuring->events.failed = UINT32_MAX;
    }
    errno = saved_errno;
}

void hiera_measure_free(HieraThread *thread)
{
    hiera_measure_stop(thread);
    if (thread->measuring)
        munmap(thread->measuring, bytes_of(thread->measuring->room));
    thread->measuring = NULL;
}

/* --- messages about events that cannot be counted --- */

/* Print one message that names all events with this error. A process names no event twice. */
static void say(const int errors[HIERA_EVENTS], int error)
{
    static uint32_t said;
    char names[128] = "";
    for (unsigned event = 0; event < HIERA_EVENTS; event++) {
        if (errors[event] == error && !(__atomic_fetch_or(&said, BIT(event), __ATOMIC_RELAXED) & BIT(event)))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? ", " : "",
                     hiera_measured_name(HIERA_MEASURED_INSTRUCTIONS + event));
    }
    if (names[0])
        hiera_message("assertions that ask for %s are unknown: %s", names, hiera_events_reason(error));
}

static void complain(const int errors[HIERA_EVENTS])
{
    if (hiera_life.joined && hiera_job.rank != hiera_job.first)
        return; /* the job's first rank prints the message */
    for (unsigned event = 0; event < HIERA_EVENTS; event++) {
        if (errors[event] != 0)
            say(errors, errors[event]);
    }
}

/* --- reading what a thread has used: counters and clocks --- */

static uint32_t events_of(uint32_t asked)
{
    return asked >> HIERA_MEASURED_INSTRUCTIONS;
}

static void read_usage(HieraUsage *reading)
{
    struct rusage usage = {.ru_minflt = 0};
    getrusage(RUSAGE_THREAD, &usage);
    reading->values[HIERA_MEASURED_USER_TIME] =
        (uint64_t)usage.ru_utime.tv_sec * 1000000000u + (uint64_t)usage.ru_utime.tv_usec * 1000u;
    reading->values[HIERA_MEASURED_PAGE_FAULTS] = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
    reading->values[HIERA_MEASURED_CONTEXT_SWITCHES] = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

static void read_clock(HieraUsage *reading)
{
    struct timespec time = {.tv_sec = 0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    reading->values[HIERA_MEASURED_CPU_TIME] = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void read_events(HieraThread *thread, uint32_t events, HieraUsage *begin)
{
    HieraEventGroup *group = &thread->measuring->events;
    int errors[HIERA_EVENTS];
    bool is_lost;
    do {
        bool had = group->n > 0;
        if (hiera_events_open(group, events, errors))
            complain(errors);
        hiera_events_read(group, &begin->events);
        is_lost =
            had && begin->events.number == 0; /* the program has closed the events' descriptors: open them again */
    } while (is_lost);
}

/* Read the CPU's events last, and at the end first, so that they count little of the functions that read them. */
bool hiera_measure_begin(HieraThread *thread, uint32_t asked, uint32_t index)
{
    int saved_errno = errno;
    bool has_room = (thread->measuring && index < thread->measuring->room) || make_room(thread, index);
    HieraUsage *begin = has_room ? &thread->measuring->begins[index] : NULL;
    if (begin && (asked & OF_USAGE))
        read_usage(begin);
    if (begin && (asked & BIT(HIERA_MEASURED_CPU_TIME)))
        read_clock(begin);
    if (begin && events_of(asked) != 0)
        read_events(thread, events_of(asked), begin);
    errno = saved_errno;
    return has_room;
}

void hiera_measure_end(HieraThread *thread, uint32_t asked, HieraUsage *end)
{
    int saved_errno = errno;
    if (events_of(asked) != 0)
        hiera_events_read(&thread->measuring->events, &end->events);
    if (asked & BIT(HIERA_MEASURED_CPU_TIME))
        read_clock(end);
    if (asked & OF_USAGE)
        read_usage(end);
    errno = saved_errno;
}

bool hiera_measured_since(const HieraThread *thread, uint32_t index, const HieraUsage *end, HieraMeasured what,
                          uint64_t *value)
{
    const HieraUsage *begin = &thread->measuring->begins[index];
    if (what >= HIERA_MEASURED_INSTRUCTIONS)
        return hiera_events_between(&begin->events, &end->events, what - HIERA_MEASURED_INSTRUCTIONS, value);
    *value = end->values[what] - begin->values[what];
    return true;
}
