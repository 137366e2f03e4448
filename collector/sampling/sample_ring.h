/* The samples of one thread: time and address, in the order of time, in a ring buffer.
 *
 * The kernel fills it, if that is allowed (perf_event_open with the task clock: the CPU time of the thread, in user
 * mode). The descriptor is closed at once, since the mapping keeps the event alive; so the program cannot close it, and
 * has as many descriptors as without Hiera. If the kernel refuses, a timer of the thread fills the ring
 * (sample_timer.h). A full ring loses samples and counts them. A ring is used with the lock held, and opened without.
 */
#pragma once

#include "sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum HieraSampleSource { HIERA_SAMPLES_NONE, HIERA_SAMPLES_KERNEL, HIERA_SAMPLES_TIMER } HieraSampleSource;

/* All zero: the thread has no ring. */
typedef struct HieraSampleRing {
    HieraSampleSource source;
    pid_t tid;
    void *map;    /* the kernel's mapping: a page with head and tail, then the data; or the state of a timer */
    size_t bytes; /* size of the kernel's data, a power of two */
    bool has_timer, has_stack;
    HieraSample next; /* the earliest sample, if it was read already */
    bool has_next;
    uint64_t lost;         /* number of lost samples */
    uint64_t cpu_began_ns; /* CPU time of the thread when the ring was opened */
    uint64_t cpu_ns;       /* CPU time of the thread when it was last read */
} HieraSampleRing;

/* Begin to sample a thread of this process. `period_ns`: period in CPU time of the thread. Keeps errno.
 *
 * @return  false: neither the kernel nor a timer is available now */
bool hiera_sample_ring_open(HieraSampleRing *ring, pid_t tid, uint64_t period_ns);
/* The same; on x86-64 the kernel's samples have the stack pointer, too. */
bool hiera_sample_ring_open_with_stack(HieraSampleRing *ring, pid_t tid, uint64_t period_ns);

/* Get the earliest sample; false if there is none. It stays in the ring until it is taken. */
bool hiera_sample_ring_peek(HieraSampleRing *ring, HieraSample *sample);
void hiera_sample_ring_take(HieraSampleRing *ring);

/* Whether the ring is half full. */
bool hiera_sample_ring_is_filling(const HieraSampleRing *ring);

/* Read the CPU time of the thread. Returns false if the thread does not exist any more. */
bool hiera_sample_ring_clock(HieraSampleRing *ring);

/* For a ring that a timer fills: whether the thread blocks the signal now. */
bool hiera_sample_ring_is_blocked(const HieraSampleRing *ring);

/* Stop sampling, and free the memory. */
void hiera_sample_ring_close(HieraSampleRing *ring);

/* Return why the kernel gives no samples: an errno; 0: it was not asked, or gives them. */
int hiera_sample_ring_refusal(void);
