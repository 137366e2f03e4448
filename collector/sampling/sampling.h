/* Samples find the region or the MPI call that was open then (HIERA_SAMPLE).
 *
 * Idea: a thread's records and its samples are both in the order of time. They are gone through together when the
 * buffer is full, when a ring is half full (the helper thread looks), and at the end. A thread that records nothing, as
 * those that OpenMP makes, works for the main thread: its samples belong to the region that is open there, in a node of
 * their own. All functions are called with the lock held, unless they say something else. */
#ifndef HIERA_SAMPLING_H
#define HIERA_SAMPLING_H

#include "record/record.h"

#include <stdbool.h>

bool hiera_sampling_is_on(void);

/* Begin to take samples, or take none for now; what there is stays. All threads have what samples need, whether or not
 * any are taken. Without the lock; one thread at a time. @return  NULL, or why it is not possible */
const char *hiera_sampling_switch(bool runs);
bool hiera_sampling_runs(void);

/* At load, in the main thread; takes the lock. Say what is not possible, later. */
void hiera_sampling_load(void);
void hiera_sampling_complain(void);

/* This thread will have its first record. Without the lock: while that is held, the thread blocks signals, as of its
 * timer. */
void hiera_sampling_begin_thread(HieraThread *thread);
/* It ends. */
void hiera_sampling_end_thread(HieraThread *thread);

/* Go through the records and samples that are there. */
void hiera_sampling_tell(HieraThread *thread);

/* The buffer of the thread was emptied, after hiera_sampling_tell(). */
void hiera_sampling_rewind(HieraThread *thread);

/* In the process that completes the trace of another one: forget what is not in kept memory, as `is_kept` says. */
void hiera_sampling_recover(bool (*is_kept)(const void *address, size_t bytes));

/* In a child of fork, without the lock: it has none of this. */
void hiera_sampling_in_child(void);

#endif
