/* The table of times, and events: declarations that the files of timing.h share. */
#pragma once

#include "timing.h"

extern HieraTimedThread *hiera_timed_threads; /* array of HIERA_TIMED_THREADS; NULL: there is no table */
extern uint64_t hiera_timed_homeless;         /* number of threads for which the table had no room */

/* Data of this thread: its entry in the table (NULL: none yet), and iterations that are not added yet. */
extern __thread HieraTimedThread *hiera_timed_thread __attribute__((tls_model("initial-exec")));
extern __thread uint64_t hiera_timed_counters[HIERA_PLAN_LOOPS] __attribute__((tls_model("initial-exec")));

/* Process an event. `stack`: the program's stack pointer. A signal may interrupt it, and its handler may cause events.
 */
void hiera_timing_tell(uint32_t event, uintptr_t stack) __attribute__((visibility("hidden")));
