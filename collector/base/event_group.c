/* A group of perf_event counters per thread; calls syscall() where libc's function is a cancellation point. */
#include "event_group.h"

#include "safe_file.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint64_t configs[HIERA_EVENTS] = {
    [HIERA_EVENT_INSTRUCTIONS] = PERF_COUNT_HW_INSTRUCTIONS,
    [HIERA_EVENT_CYCLES] = PERF_COUNT_HW_CPU_CYCLES,
    [HIERA_EVENT_CACHE_REFERENCES] = PERF_COUNT_HW_CACHE_REFERENCES,
    [HIERA_EVENT_CACHE_MISSES] = PERF_COUNT_HW_CACHE_MISSES,
    [HIERA_EVENT_BRANCHES] = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
    [HIERA_EVENT_BRANCH_MISSES] = PERF_COUNT_HW_BRANCH_MISSES,
};

enum { FORMAT = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID };

/* What read() returns for the group's descriptor, by its read_format. */
typedef struct Read {
    uint64_t n, enabled_ns, running_ns;
    struct {
        uint64_t count, id;
    } members[HIERA_EVENTS];
} Read;

/* Whether the descriptor is still Hiera's counter; any other file, even the program's counter, has another id. */
static bool is_own(const HieraEventMember *member)
{
    uint64_t id;
    return ioctl(member->fd, PERF_EVENT_IOC_ID, &id) == 0 && id == member->id;
}

static void close_descriptor(int fd)
{
    syscall(SYS_close, fd);
}

void hiera_events_close(HieraEventGroup *group)
{
    while (group->n > 0) {
        const HieraEventMember *member = &group->members[--group->n];
        if (is_own(member))
            close_descriptor(member->fd);
    }
    group->has = 0;
}

/* --- opening a group of counters --- */

/* Stop the group before a member is added: otherwise the new member would begin to count when its thread is scheduled
 * again, and the others at once. */
static void stop_counting(const HieraEventGroup *group)
{
    if (group->n > 0)
        ioctl(group->members[0].fd, PERF_EVENT_IOC_DISABLE, 0);
}

static void start_counting(const HieraEventGroup *group)
{
    if (group->n > 0)
        ioctl(group->members[0].fd, PERF_EVENT_IOC_ENABLE, 0);
}

/* Open one event of the group. @return  0 or the errno */
static int open_member(const HieraEventGroup *group, HieraEventMember *member)
{
    const struct perf_event_attr attributes = {.type = PERF_TYPE_HARDWARE,
                                               .size = sizeof attributes,
                                               .config = configs[member->event],
                                               .read_format = FORMAT,
                                               .disabled = group->n == 0,
                                               .exclude_kernel = 1,
                                               .exclude_hv = 1};
    int leader = group->n > 0 ? group->members[0].fd : -1;
    int low = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
    if (low < 0)
        return errno;
    member->fd = hiera_file_move_up(low);
    bool is_high = member->fd != low, is_known = ioctl(member->fd, PERF_EVENT_IOC_ID, &member->id) == 0;
    int error = 0;
    if (!is_high)
        error = EMFILE; /* only low descriptors are free */
    else if (!is_known)
        error = errno;
    if (error != 0)
        close_descriptor(member->fd);
    return error;
}

static bool open_all(HieraEventGroup *group, uint32_t events, int errors[HIERA_EVENTS])
{
    uint32_t failed_before = group->failed;
    if (group->n > 0 && !is_own(&group->members[0]))
        hiera_events_close(group);
    group->number += group->n == 0;
    stop_counting(group);
    for (unsigned event = 0; event < HIERA_EVENTS; event++) {
        HieraEventMember *member = &group->members[group->n];
        errors[event] = 0;
        if (!(events & ~(group->has | group->failed) & 1u << event))
            continue;
        member->event = event;
        errors[event] = open_member(group, member);
        if (errors[event] != 0) {
            group->failed |= 1u << event;
        } else {
            group->has |= 1u << event;
            group->n++;
        }
    }
    start_counting(group);
    return group->failed != failed_before;
}

bool hiera_events_open(HieraEventGroup *group, uint32_t events, int errors[HIERA_EVENTS])
{
    int cancel_before;
    if ((events & ~(group->has | group->failed)) == 0)
        return false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_before);
    bool fails = open_all(group, events, errors);
    pthread_setcancelstate(cancel_before, NULL);
    return fails;
}

/* --- reading a group of counters --- */

/* Copy the result of read() into `counts`. @return  false if it does not have all members of the group */
static bool take(const HieraEventGroup *group, const Read *read, HieraEventCounts *counts)
{
    if (read->n != group->n)
        return false;
    for (unsigned i = 0; i < group->n; i++) {
        const HieraEventMember *member = &group->members[i];
        if (read->members[i].id != member->id)
            return false;
        counts->counts[member->event] = read->members[i].count;
    }
    counts->enabled_ns = read->enabled_ns;
    counts->running_ns = read->running_ns;
    counts->has = group->has;
    counts->number = group->number;
    return true;
}

void hiera_events_read(HieraEventGroup *group, HieraEventCounts *counts)
{
    Read read;
    ssize_t bytes = (ssize_t)(offsetof(Read, members) + group->n * sizeof read.members[0]);
    counts->number = 0;
    if (group->n == 0)
        return;
    if (!is_own(&group->members[0]) || syscall(SYS_read, group->members[0].fd, &read, sizeof read) != bytes ||
        !take(group, &read, counts))
        hiera_events_close(group);
}

/* --- difference between two readings --- */

bool hiera_events_between(const HieraEventCounts *begin, const HieraEventCounts *end, unsigned event, uint64_t *count)
{
    uint64_t enabled_ns = end->enabled_ns - begin->enabled_ns, running_ns = end->running_ns - begin->running_ns;
    bool is_counted = begin->number != 0 && begin->number == end->number && (begin->has & end->has & 1u << event);
    if (!is_counted || running_ns == 0)
        return false;
    *count = end->counts[event] - begin->counts[event];
    if (running_ns < enabled_ns) {
        unsigned __int128 scaled = (unsigned __int128)*count * enabled_ns / running_ns;
        *count = scaled < UINT64_MAX ? (uint64_t)scaled : UINT64_MAX;
    }
    return true;
}
