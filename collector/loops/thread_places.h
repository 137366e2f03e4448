/* Finds out where the other threads of this process are, without stopping them.
 *
 * For a thread that waits in the kernel, /proc has the program counter and the stack pointer; a process needs no
 * permission to read them for its own threads. A running thread gets a sample (sampling/sample_ring.h), which comes
 * only while it computes, so that no system call is interrupted. A thread may also report its place itself, in a signal
 * handler. Each of these counts only if it is younger than the question, that is the last call of
 * hiera_threads_wait_outside(). Only on x86-64. One thread at a time; not for signal handlers, except
 * hiera_threads_say(). */
#pragma once

#include "sampling/sample_ring.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { HIERA_PLACES_THREADS = 4096 };

typedef struct HieraThreadPlace {
    pid_t tid;
    bool is_known;    /* the thread has been outside the forbidden code since hiera_threads_wait_outside() began */
    uint32_t said_in; /* value of HieraThreadPlaces.question when the thread last reported its stack */
    uintptr_t said_stack;
    HieraSampleRing ring;
} HieraThreadPlace;

typedef struct HieraThreadPlaces {
    uint32_t question;
    uint32_t n;
    HieraThreadPlace at[HIERA_PLACES_THREADS];
} HieraThreadPlaces;

/* List all threads of the process but the calling one. @return  NULL, or why they cannot be listed */
const char *hiera_threads_list(HieraThreadPlaces *threads);

/* Whether a signal that a thread raises for itself reaches its handler, in every thread. @return  NULL, or why not: a
 * thread blocks it, has a debugger, or waits for a child of vfork, which uses this process's memory and has handlers of
 * its own */
const char *hiera_threads_accept(const HieraThreadPlaces *threads, int signal);

/* Code where no thread may be. is_inside: tests the address of a thread, and the addresses on its stack to which a
 * signal handler may return. */
typedef struct HieraForbidden {
    bool (*is_inside)(void *data, uintptr_t address);
    void *data;
    int signal; /* stop waiting if some thread blocks this signal; 0: no signal */
} HieraForbidden;

/* Wait until each thread has been seen outside of `forbidden` since this call, for at most `ns` nanoseconds.
 *
 * @return  NULL, or why it is not known that they are outside */
const char *hiera_threads_wait_outside(HieraThreadPlaces *threads, const HieraForbidden *forbidden, uint64_t ns);

/* In a signal handler: report that this thread is outside; only addresses on its stack, from `stack` on, must still be
 * checked. */
void hiera_threads_say(HieraThreadPlaces *threads, pid_t tid, uintptr_t stack);
