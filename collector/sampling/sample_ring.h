/* The samples of one thread: time and address, in the order of time, in a ring of memory that somebody else fills.
 *
 * The kernel fills it, if it lets us (perf_event_open with the task clock: the CPU time of the thread, in user mode).
 * The descriptor is closed at once, since the mapping keeps the event; so the program cannot close it, and has as many
 * descriptors as without. If the kernel refuses, a timer of the thread does (sample_timer.h). A full ring loses
 * samples; their number is known. A ring is used with the lock held, and opened without. */
#ifndef HIERA_SAMPLE_RING_H
#define HIERA_SAMPLE_RING_H

#include "sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum HieraSampleSource { HIERA_SAMPLES_NONE, HIERA_SAMPLES_KERNEL, HIERA_SAMPLES_TIMER } HieraSampleSource;

/* Zeroed: it has none. */
typedef struct HieraSampleRing {
    HieraSampleSource source;
    pid_t tid;
    void *map;    /* the kernel's: a page for head and tail, then the data; or what belongs to a timer */
    size_t bytes; /* of the kernel's data, a power of two */
    bool has_timer, has_stack;
    HieraSample next; /* the earliest sample, if it was looked at already */
    bool has_next;
    uint64_t lost;         /* samples */
    uint64_t cpu_began_ns; /* CPU time of the thread when it began */
    uint64_t cpu_ns;       /* and at last */
} HieraSampleRing;

/* Begin to sample a thread of this process. `period_ns`: of its CPU time. Keeps errno.
 *
 * @return  false: neither the kernel nor a timer does that now */
bool hiera_sample_ring_open(HieraSampleRing *ring, pid_t tid, uint64_t period_ns);
/* The same; on x86-64 the kernel's samples have the pointer to the stack, too. */
bool hiera_sample_ring_open_with_stack(HieraSampleRing *ring, pid_t tid, uint64_t period_ns);

/* The earliest sample; false if there is none. It stays until it is taken. */
bool hiera_sample_ring_peek(HieraSampleRing *ring, HieraSample *sample);
void hiera_sample_ring_take(HieraSampleRing *ring);

/* Is it half full? */
bool hiera_sample_ring_is_filling(const HieraSampleRing *ring);

/* Note the CPU time of the thread. Returns false if there is no such thread any more. */
bool hiera_sample_ring_clock(HieraSampleRing *ring);

/* A timer samples it: does the thread block the signal now? */
bool hiera_sample_ring_is_blocked(const HieraSampleRing *ring);

/* Sample no more, and free the memory. */
void hiera_sample_ring_close(HieraSampleRing *ring);

/* Why the kernel gives no samples: an errno; 0: it was not asked, or does. */
int hiera_sample_ring_refusal(void);

#endif
