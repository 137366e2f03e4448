/* Where the other threads of this process are, without stopping them.
 *
 * Of a thread that waits in the kernel, /proc tells the counter and the stack: a process needs no right for that in its
 * own threads. One that runs gets a sample (sampling/sample_ring.h), which comes while it computes, so that nothing in
 * which it waits is interrupted. And a thread may say itself where it is, in a signal handler. Each of these counts if
 * it is younger than the question. x86-64 alone. One thread at a time; not for signal handlers, but for one function.
 */
#ifndef HIERA_THREAD_PLACES_H
#define HIERA_THREAD_PLACES_H

#include "sampling/sample_ring.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { HIERA_PLACES_THREADS = 4096 };

typedef struct HieraThreadPlace {
    pid_t tid;
    bool is_known;    /* it was outside since the question */
    uint32_t said_in; /* the question after which it has said where its stack is */
    uintptr_t said_stack;
    HieraSampleRing ring;
} HieraThreadPlace;

typedef struct HieraThreadPlaces {
    uint32_t question;
    uint32_t n;
    HieraThreadPlace at[HIERA_PLACES_THREADS];
} HieraThreadPlaces;

/* All threads but this one. @return  NULL, or why they are not known */
const char *hiera_threads_list(HieraThreadPlaces *threads);

/* Can a signal that each thread raises for itself reach its handler? @return  NULL, or why not: a thread blocks it, has
 * a debugger, or waits for a child of vfork, which uses our memory and has handlers of its own */
const char *hiera_threads_accept(const HieraThreadPlaces *threads, int signal);

/* Where no thread may be: an address of code, or one on a stack to which a signal handler comes back. */
typedef struct HieraForbidden {
    bool (*is_inside)(void *data, uintptr_t address);
    void *data;
    int signal; /* give up if a thread blocks it by now; 0: none */
} HieraForbidden;

/* Wait until each thread was seen outside since now, for `ns` at most.
 *
 * @return  NULL, or why it is not known that they are outside */
const char *hiera_threads_wait_outside(HieraThreadPlaces *threads, const HieraForbidden *forbidden, uint64_t ns);

/* In a signal handler: this thread is outside, with nothing but its stack, from `stack` on, where it may come back to.
 */
void hiera_threads_say(HieraThreadPlaces *threads, pid_t tid, uintptr_t stack);

#endif
