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

/* Ring buffer with samples of one thread. All zero: the thread has none. */
typedef struct HieraSampleRing {
    HieraSampleSource source;
    pid_t tid;
    void *map; /* the kernel's mapping, a page with head and tail and then the data; or what hiera_sample_timer_begin()
                  returned */
    size_t bytes; /* size of the data in the kernel's mapping, a power of two */
    bool has_timer, has_stack;
    HieraSample next; /* the earliest sample of the ring, valid if `has_next` */
    bool has_next;
    uint64_t lost;         /* number of samples of the thread that were lost */
    uint64_t cpu_began_ns; /* CPU time of the thread when the ring was opened */
    uint64_t cpu_ns;       /* CPU time of the thread when it was last read */
} HieraSampleRing;

/* Begin to sample a thread of this process. `period_ns`: period in CPU time of the thread. Keeps errno.
 *
 * @return  false: neither the kernel nor a timer is available now */
bool hiera_sample_ring_open(HieraSampleRing *ring, pid_t tid, uint64_t period_ns);
/* Do as hiera_sample_ring_open(); on x86-64 the kernel's samples then have the stack pointer, too. */
bool hiera_sample_ring_open_with_stack(HieraSampleRing *ring, pid_t tid, uint64_t period_ns);

/* Get the earliest sample, which stays in the ring until hiera_sample_ring_take(). Returns false if there is none. */
bool hiera_sample_ring_peek(HieraSampleRing *ring, HieraSample *sample);
void hiera_sample_ring_take(HieraSampleRing *ring);

/* Whether at least half of the ring is filled with samples. */
bool hiera_sample_ring_is_filling(const HieraSampleRing *ring);

/* Store the thread's CPU time in `cpu_ns`. Returns false if the thread does not exist any more. */
bool hiera_sample_ring_clock(HieraSampleRing *ring);

/* Whether the thread of the ring now blocks the signal of the timer that fills it; false if the kernel fills it. */
bool hiera_sample_ring_is_blocked(const HieraSampleRing *ring);

/* Stop sampling the thread of the ring, and free the ring's memory. */
void hiera_sample_ring_close(HieraSampleRing *ring);

/* Return the errno with which the kernel refused to sample; 0: it was not asked, or did not refuse. */
int hiera_sample_ring_refusal(void);
