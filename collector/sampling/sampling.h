/* Assigns samples to the region or the MPI call that was open at their time (HIERA_SAMPLE).
 *
 * Idea: a thread's records and its samples are both in the order of time. They are combined when the
 * buffer is full, when a ring is half full (the helper thread checks this), and at the end. A thread that records
 * nothing, such as the threads of OpenMP, works for the main thread: its samples belong to the region that is open
 * there, in a node of their own. All functions are called with the lock held, unless they say something else. */
#pragma once

#include "record/record.h"

#include <stdbool.h>

bool hiera_sampling_is_on(void);

/* Switch sampling on or off; samples so far stay. All threads have the state that sampling needs, whether or not
 * it is on. Without the lock; one thread at a time. @return  NULL, or why it is not possible */
const char *hiera_sampling_switch(bool runs);
bool hiera_sampling_runs(void);

/* hiera_sampling_load(): called at load, in the main thread; takes the lock. hiera_sampling_complain(): later, prints
 * what is not possible. */
void hiera_sampling_load(void);
void hiera_sampling_complain(void);

/* This thread will have its first record. Called without the lock: with it, the thread blocks signals, also that of its
 * timer. */
void hiera_sampling_begin_thread(HieraThread *thread);
/* Take the thread's last samples, because the thread ends. */
void hiera_sampling_end_thread(HieraThread *thread);

/* Give the samples in the thread's ring to the regions of its present records. */
void hiera_sampling_tell(HieraThread *thread);

/* Called when the buffer of the thread was emptied after hiera_sampling_tell(). */
void hiera_sampling_rewind(HieraThread *thread);

/* In a process that completes the trace of another one: forget all that is not in the memory taken from that one. */
void hiera_sampling_recover(void);

/* Stop sampling in a child of fork: the child is not sampled. Called without the lock. */
void hiera_sampling_in_child(void);
