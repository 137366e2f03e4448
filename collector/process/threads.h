/* Threads: their buffers, and what becomes of those when they are full or the thread ends. */
#ifndef HIERA_THREADS_H
#define HIERA_THREADS_H

#include "write/trace_file.h"

/* Before the first thread. */
void hiera_threads_load(void);

/* The state of this thread: NULL without memory, which is counted. */
HieraThread *hiera_threads_begin(void);

/* Write what is in its buffer. With the lock held. */
void hiera_threads_write(HieraThread *thread, bool all, HieraFlush flush);

#endif
