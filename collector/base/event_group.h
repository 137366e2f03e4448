/* Hardware events that the processor counts for a thread: instructions, cycles, cache misses.
 *
 * Idea: the kernel keeps one group of counters for a thread (perf_event_open), in user mode only, so that all counts
 * cover the same time and one read returns all. Descriptors of the group are high, and close on exec. A program may
 * close them, and then their numbers may belong to other files: so before a descriptor is read or closed, the kernel is
 * asked whether it is still this counter. A lost group is opened again, under another number. A thread uses only its
 * own group. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The events, in the order of HIERA_MEASURED (assertions/assertions.h). */
enum {
    HIERA_EVENT_INSTRUCTIONS,
    HIERA_EVENT_CYCLES,
    HIERA_EVENT_CACHE_REFERENCES,
    HIERA_EVENT_CACHE_MISSES,
    HIERA_EVENT_BRANCHES,
    HIERA_EVENT_BRANCH_MISSES,
    HIERA_EVENTS
};

typedef struct HieraEventMember {
    int fd;
    unsigned event;
    uint64_t id; /* id of the counter in the kernel */
} HieraEventMember;

/* The counters of one thread, all read at once. Initialised with zeros. */
typedef struct HieraEventGroup {
    HieraEventMember members[HIERA_EVENTS]; /* the first n are used; the first one is the group leader */
    unsigned n;
    uint32_t has, failed; /* bit sets (1 << HIERA_EVENT_…): events in `members`; events that cannot be opened */
    uint32_t number;      /* number of the group, from 1; grows when a lost group is opened again */
} HieraEventGroup;

/* The counts of a group at one moment. */
typedef struct HieraEventCounts {
    uint32_t number;     /* HieraEventGroup.number; 0: nothing is known */
    uint32_t has;        /* bit set of the counted events (1 << HIERA_EVENT_…) */
    uint64_t enabled_ns; /* ns in which the group was enabled */
    uint64_t running_ns; /* ns of enabled_ns in which the group had the processor's counters */
    uint64_t counts[HIERA_EVENTS];
} HieraEventCounts;

/* Add these events (a bit set) to the group. Events that failed before are not tried again.
 *
 * @param errors  one entry per event: the errno if it fails now, else 0; set only if the function returns true
 * @return  whether an event fails now */
bool hiera_events_open(HieraEventGroup *group, uint32_t events, int errors[HIERA_EVENTS]);

/* Read the group's counts; if the program has closed the descriptors, close the group, and the counts are unknown. */
void hiera_events_read(HieraEventGroup *group, HieraEventCounts *counts);

void hiera_events_close(HieraEventGroup *group);

/* Text for users: why perf_event_open() fails with the errno `error`. (event_reason.c) */
const char *hiera_events_reason(int error);

/* How often an event happened between two readings; an estimate if the counters of the processor were shared with other
 * groups.
 *
 * @return  false if unknown: the event was not counted, not by the same group at both times, or at no time in between
 */
bool hiera_events_between(const HieraEventCounts *begin, const HieraEventCounts *end, unsigned event, uint64_t *count);
