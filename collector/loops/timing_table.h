/* The table of times by thread, which the files timing_*.c share. */
#pragma once

#include "timing.h"

extern HieraTimedThread *hiera_timed_threads; /* array of HIERA_TIMED_THREADS entries, one per thread; NULL: not made */
extern uint64_t hiera_timed_homeless;         /* number of threads for which the table had no entry left */

/* This thread's entry in the table (NULL: none yet), and its loops' iterations that are not added to it yet. */
extern __thread HieraTimedThread *hiera_timed_thread __attribute__((tls_model("initial-exec")));
extern __thread uint64_t hiera_timed_counters[HIERA_PLAN_LOOPS] __attribute__((tls_model("initial-exec")));

/* Process an event. `stack`: the program's stack pointer. A signal may interrupt it, and its handler may cause events.
 */
void hiera_timing_tell(uint32_t event, uintptr_t stack) __attribute__((visibility("hidden")));
