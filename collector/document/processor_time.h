/* Processor time and threads of this process between MPI_Init and MPI_Finalize, also of threads that are not recorded:
 * they bound what the trace can say (element hieraUsage).
 *
 * Threads of MPI, which begin in MPI_Init, and of Hiera itself do not count. Nothing here is on the call path: the
 * numbers are read at the begin, at the end, and when a buffer is written. They survive a kill. */
#pragma once

#include "write/trace_file.h"

/* Before MPI_Init: note the threads that are there. */
void hiera_usage_expect_mpi(void);

/* The program goes on after MPI_Init: count from now on. */
void hiera_usage_begin(void);

/* Note what was used up to now, unless that was done within the last 10 ms: a process with many threads has many
 * buffers, and all threads are looked at each time. Called with the lock held; safe in a signal handler. */
void hiera_usage_note(void);

/* MPI_Finalize is called, or the process ends: note what was used for the last time. Called with the lock held; not in
 * a signal handler. */
void hiera_usage_end(void);

/* A thread begins to be recorded: it may have been noted as one that is not. Called with the lock held. */
void hiera_usage_begin_thread(void);

/* A recorded thread ends, the calling one: it has done all that Hiera does then. Called with the lock held. */
void hiera_usage_end_thread(int tid);

/* In a process that completes or copies the trace of another one, which still runs: note what that has used by now. */
void hiera_usage_look(void);

/* Whether an answer must say that there are threads which are not recorded. */
bool hiera_usage_is_partial(void);

/* Write the element hieraUsage, if anything is known. */
void hiera_usage_put(HieraTraceFile *stream);
