/* Threads and their buffers: a thread begins, its buffer is full, the thread ends. */
#pragma once

#include "write/trace_file.h"

/* Prepare to notice the ends of threads. Called before the first thread is recorded. */
void hiera_threads_load(void);

/* In a child of fork, which records anew: forget all threads of the parent. */
void hiera_threads_renew(void);

/* Make the state and buffer of this thread. NULL: there is no memory, and the loss is counted. */
HieraThread *hiera_threads_begin(void);

/* Write the records in a thread's buffer. `all`: also a call in progress. Called with the collector's lock held. */
void hiera_threads_write(HieraThread *thread, bool all, HieraFlush flush);

/* Write the sums of a thread that has switched to sums, in its last flush. Called with the collector's lock held. */
void hiera_threads_write_sums(HieraThread *thread, HieraFlush flush);
