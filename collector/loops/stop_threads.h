/* All other threads of this process stop while something is done that none of them may see half done.
 *
 * A process that shares our memory stops them (ptrace) and lets them go on; a system call in which one waits goes on
 * afterwards, but for those that Linux never restarts after a stop (signal(7)). If the system does not allow it, a
 * debugger is there, or a thread does not stop, nothing is done. A signal that arrives meanwhile is delivered
 * afterwards. Not for signal handlers; one thread at a time.
 */
#ifndef HIERA_STOP_THREADS_H
#define HIERA_STOP_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HieraStopped {
    void *data;
    /* Where a thread goes on, in place of `at`. */
    uintptr_t (*move)(void *data, uintptr_t at);
    /* May no thread have this address on its stack, since a handler would come back there? NULL: any may. */
    bool (*is_bad)(void *data, uintptr_t at);
    /* While all are stopped; with nothing but system calls. */
    void (*work)(void *data);
} HieraStopped;

/* The reason if the system does not let a process do that. */
extern const char hiera_stop_refused[];

/* @param ns  receives how long they stopped; may be NULL
 * @return    NULL, or why nothing was done */
const char *hiera_stop_threads(const HieraStopped *stopped, uint64_t *ns);

#endif
