/* Events that the processor counts of a thread: instructions, cycles, cache misses.
 *
 * Idea: the kernel keeps one group of counters for a thread (perf_event_open), in user mode alone, so that all are of
 * the same time and one read has them all. Descriptors of the group are high, and close on exec. A program may close
 * them, and then their numbers may belong to other files: so before a descriptor is read or closed, the kernel is asked
 * whether it is still this counter. A group that is lost is opened again, under another number. A thread uses only its
 * own group. */
#ifndef HIERA_EVENT_GROUP_H
#define HIERA_EVENT_GROUP_H

#include <stdbool.h>
#include <stdint.h>

/* In the order of HIERA_MEASURED (assertions/assertions.h). */
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
    uint64_t id; /* the kernel's */
} HieraEventMember;

/* Zeroed at first. */
typedef struct HieraEventGroup {
    HieraEventMember members[HIERA_EVENTS]; /* n of them; the first one leads the group */
    unsigned n;
    uint32_t has, failed; /* events, as bits: those of the members, and those that could not be opened */
    uint32_t number;      /* of the group, from 1 */
} HieraEventGroup;

/* What a group had counted at some time. */
typedef struct HieraEventCounts {
    uint32_t number;     /* of the group; 0: nothing is known */
    uint32_t has;        /* events, as bits */
    uint64_t enabled_ns; /* how long it was to count, */
    uint64_t running_ns; /* and how long it had counters of the processor for that */
    uint64_t counts[HIERA_EVENTS];
} HieraEventCounts;

/* Let the group have these events, as bits. Those that failed once are not tried again.
 *
 * @param errors  by event: becomes the errno of one that fails now, else 0; if it returns true
 * @return  whether one fails now */
bool hiera_events_open(HieraEventGroup *group, uint32_t events, int errors[HIERA_EVENTS]);

/* Read the counts. A group that the program has closed is given up, and nothing is known. */
void hiera_events_read(HieraEventGroup *group, HieraEventCounts *counts);

void hiera_events_close(HieraEventGroup *group);

/* Why the kernel does not count, in words for users. (event_reason.c) */
const char *hiera_events_reason(int error);

/* How often an event happened in between; an estimate if the counters of the processor were shared with others.
 *
 * @return  false if it is not known: it was not counted, or not at both times by the same group, or never in between */
bool hiera_events_between(const HieraEventCounts *begin, const HieraEventCounts *end, unsigned event, uint64_t *count);

#endif
