/* The number of a thread in the trace, which it gets when it has its first record, or when a function or loop that it
 * executes is timed, whichever comes first. The main thread has number 0. Definitions are in timing_events.c. */
#pragma once

#include <stdint.h>

extern uint32_t hiera_thread_numbers; /* number that the next thread gets */
extern __thread uint32_t hiera_thread_number __attribute__((tls_model("initial-exec"))); /* 0: it has none yet */

/* Return the number of the calling thread, which is not the main thread. */
static inline uint32_t hiera_thread_number_take(void)
{
    if (hiera_thread_number == 0)
        hiera_thread_number = __atomic_fetch_add(&hiera_thread_numbers, 1, __ATOMIC_RELAXED);
    return hiera_thread_number;
}
