/* The table of times by thread, which the files timing_*.c share. */
#pragma once

#include "timing.h"

/* Entries that were made so far, which stay; NULL behind the last one. */
extern HieraTimedThread *hiera_timed_threads[HIERA_TIMED_THREADS];
extern uint64_t hiera_timed_homeless; /* number of threads for which the table had no entry left */

/* The numbers of a thread that copies change without an event: see HieraPlanLocal. */
typedef struct HieraTimedLocals {
    uint64_t counts[HIERA_TIMED_SLOTS], starts[HIERA_PLAN_STARTS];
    int32_t down[HIERA_TIMED_SLOTS], calls[HIERA_PLAN_SITES], gates[HIERA_TIMED_GATES]; /* gates[0]: see gate_of() */
} HieraTimedLocals;

/* This thread's entry in the table (NULL: none yet), and its numbers. */
extern __thread HieraTimedThread *hiera_timed_thread __attribute__((tls_model("initial-exec")));
extern __thread HieraTimedLocals hiera_timed_locals __attribute__((tls_model("initial-exec")));

/* Code that runs in events may use no vector registers, and calls nothing that is watched. */
#define IN_EVENT __attribute__((no_sanitize("address", "undefined", "thread"), no_instrument_function))

/* Process an event. `stack`: the program's stack pointer. A signal may interrupt it, and its handler may cause events.
 */
void hiera_timing_tell(uint32_t event, uintptr_t stack) __attribute__((visibility("hidden")));
