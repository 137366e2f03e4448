/* Stops all other threads of this process during a change that none of them may see half done.
 *
 * A process that shares the memory of this one stops them (ptrace) and lets them go on. A system call in which a thread
 * waits continues afterwards, except those that Linux never restarts after a stop (signal(7)). If the system does not
 * allow it, a debugger is present, or a thread does not stop, nothing is done. A signal that arrives meanwhile is
 * delivered afterwards. Not for signal handlers; one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HieraStopped {
    void *data;
    /* Return the address where a thread that was stopped at `at` continues. */
    uintptr_t (*move)(void *data, uintptr_t at);
    /* Whether no thread may have this address on its stack, since a signal handler would return to it. NULL: all
     * addresses are allowed. */
    bool (*is_bad)(void *data, uintptr_t at);
    /* Make the change; called while all threads are stopped, by a process that may only make system calls. */
    void (*work)(void *data);
} HieraStopped;

/* Result of hiera_stop_threads() if the system does not allow one process to stop another. */
extern const char hiera_stop_refused[];

/* Stop the threads, make the change, and let them go on.
 *
 * @param ns  receives for how long they were stopped; may be NULL
 * @return    NULL, or why nothing was done */
const char *hiera_stop_threads(const HieraStopped *stopped, uint64_t *ns);
