/* The threads of this process that have no records of their own. */
#ifndef HIERA_OTHER_THREADS_H
#define HIERA_OTHER_THREADS_H

#include "sample_ring.h"

/* Look which threads there are, as /proc says; unless `in_any_case`, only if their number has changed. Without the
 * lock, in the helper thread alone.
 *
 * @param has_changed  becomes whether their number has changed
 * @return  whether it has looked */
bool hiera_other_threads_list(bool in_any_case, bool *has_changed);

/* Begin to sample those that are new; `is_sampled` knows which have a ring elsewhere. With the lock held. Rings of
 * threads that have ended are closed, when they are empty: their lost samples and CPU time are added to *lost and
 * *cpu_ns. */
void hiera_other_threads_update(bool (*is_sampled)(pid_t tid), uint64_t *lost, uint64_t *cpu_ns);

/* Close all, or those that timers fill. With the lock held. */
void hiera_other_threads_close(uint64_t *lost, uint64_t *cpu_ns);
void hiera_other_threads_close_timers(uint64_t *lost, uint64_t *cpu_ns);

/* Note the CPU time of each: when it has ended, that cannot be asked. With the lock held. */
void hiera_other_threads_clock(void);

/* The rings; *n of them. With the lock held. */
HieraSampleRing *hiera_other_threads(size_t *n);

/* Take the ring of a thread out; false: it has none. */
bool hiera_other_threads_take(pid_t tid, HieraSampleRing *ring);

/* They are none of this process's any more. */
void hiera_other_threads_forget(void);

#endif
