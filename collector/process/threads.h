/* Threads and their buffers: begin, full buffer, end. */
#pragma once

#include "write/trace_file.h"

/* Called before the first thread is recorded. */
void hiera_threads_load(void);

/* Called in a child of fork, which begins anew and has none of the parent's other threads. */
void hiera_threads_renew(void);

/* Make the state of this thread. NULL if there is no memory; the loss is counted. */
HieraThread *hiera_threads_begin(void);

/* Write the buffer of a thread. Called with the lock held. */
void hiera_threads_write(HieraThread *thread, bool all, HieraFlush flush);

/* Write the sums in the last flush of a thread that has switched to sums. Called with the lock held. */
void hiera_threads_write_sums(HieraThread *thread, HieraFlush flush);
