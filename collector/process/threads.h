/* Threads and their buffers: start, full buffer, end. */
#ifndef HIERA_THREADS_H
#define HIERA_THREADS_H

#include "write/trace_file.h"

/* Called before the first thread is recorded. */
void hiera_threads_load(void);

/* In a child of fork, which begins anew: none of the parent's threads is here. */
void hiera_threads_renew(void);

/* Make the state of this thread. NULL if there is no memory; the loss is counted. */
HieraThread *hiera_threads_begin(void);

/* Write the buffer of a thread. Called with the lock held. */
void hiera_threads_write(HieraThread *thread, bool all, HieraFlush flush);

/* The last flush of a thread that has gone over to sums: write these too. Called with the lock held. */
void hiera_threads_write_sums(HieraThread *thread, HieraFlush flush);

#endif
