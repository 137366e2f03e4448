/* Samples of those threads of this process that have no records. */
#pragma once

#include "sample_ring.h"

/* Read the list of threads from /proc; unless `in_any_case`, only if their number has changed. Called without the
 * lock, only in the helper thread.
 *
 * @param has_changed  becomes whether their number has changed
 * @return  whether the list was read */
bool hiera_other_threads_list(bool in_any_case, bool *has_changed);

/* Begin to sample new threads; `is_sampled` returns whether a thread has a ring elsewhere. With the lock held. Rings of
 * ended threads are closed when they are empty: their lost samples and CPU time are added to *lost and
 * *cpu_ns. */
void hiera_other_threads_update(bool (*is_sampled)(pid_t tid), uint64_t *lost, uint64_t *cpu_ns);

/* Close all rings, or only those that timers fill; their lost samples and CPU time are added. The lock must be held. */
void hiera_other_threads_close(uint64_t *lost, uint64_t *cpu_ns);
void hiera_other_threads_close_timers(uint64_t *lost, uint64_t *cpu_ns);

/* Store the CPU time of each thread, because it cannot be read once the thread has ended. The lock must be held. */
void hiera_other_threads_clock(void);

/* Return the array of the *n rings. The lock must be held. */
HieraSampleRing *hiera_other_threads(size_t *n);

/* Move the ring of a thread from the list into *ring. Returns false if the thread has no ring in the list. */
bool hiera_other_threads_take(pid_t tid, HieraSampleRing *ring);

/* Forget the rings after a fork: they belong to the parent process. */
void hiera_other_threads_forget(void);
