/* The helper thread: calls functions at intervals, beside the program.
 *
 * Idea: it is made when it is first needed, and there is never more than one. All signals are blocked in it, so that
 * the program's handlers run in the program's threads. It takes no lock: its work stands in a few slots, each of which
 * changes its state by one atomic step, and it sleeps on a word that such a step changes. Nobody waits for it for ever:
 * a function that does not return delays the end of the process by HIERA_HELPER_PATIENCE_NS, once.
 *
 * A child of fork has no helper, and requests fail, until hiera_helper_go_on(). Exec ends the helper with the other
 * threads. MPI_Finalize does not end it; the end of the process does (hiera_helper_stop()).
 *
 * The functions run only in the helper, one after the other. They may take as long as they like: functions that become
 * due meanwhile are called once afterwards; missed calls are not made up for. They must not call MPI, and must not take
 * a lock that is held while another thread waits for the helper. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { HIERA_HELPER_SLOTS = 32 };

#define HIERA_HELPER_SHORTEST_NS UINT64_C(100000)
#define HIERA_HELPER_PATIENCE_NS UINT64_C(1000000000)

/* Call a function every `ns` nanoseconds, at least HIERA_HELPER_SHORTEST_NS, for the first time after `ns`. Makes the
 * helper thread if there is none. Any thread may call this, but no signal handler. Keeps errno.
 *
 * @return  id for hiera_helper_cancel(); 0 on failure: no thread, no free slot, or this is a child of fork */
int hiera_helper_every(uint64_t ns, void (*function)(void *data), void *data);

/* Change the interval between two calls of the function that calls this. */
void hiera_helper_change(uint64_t ns);

/* Stop the calls. When this returns, the function no longer runs, unless the helper itself called this, or the function
 * has run for longer than HIERA_HELPER_PATIENCE_NS. */
void hiera_helper_cancel(int id);

/* Begin a thread for work that waits for other processes, with a small stack. All signals but SIGTRAP are blocked in
 * it. It ends with the process.
 *
 * @return  whether the thread was made */
bool hiera_helper_begin_thread(void *(*run)(void *data), void *data);

/* A thread that was begun here, from 0: its number in the kernel; 0: it has ended, and had this processor time.
 *
 * @return  whether so many threads have been begun */
bool hiera_helper_peek_thread(unsigned i, int *tid, uint64_t *ended_ns);

/* Whether the calling thread is the helper thread. */
bool hiera_helper_is_me(void);

/* The process ends: call no functions any more. `wait`: wait until the running function has returned, or
 * HIERA_HELPER_PATIENCE_NS have passed. Safe in a signal handler if `wait` is false. */
void hiera_helper_stop(bool wait);

/* In a child of fork: there is no helper. The second function: the child becomes a process of its own, and calls the
 * functions that its parent had requested. */
void hiera_helper_in_child(void);
void hiera_helper_go_on(void);
