/* The helper thread: calls functions at intervals, beside the program.
 *
 * Idea: there is none before somebody asks for one, and never more than one. All signals are blocked in it, so that the
 * program's handlers run in its own threads. It takes no lock: what it has to do stands in a few slots of which each
 * changes its state by one atomic step, and it sleeps on a word that such a step changes. Nobody waits for it for ever:
 * a function that does not return delays the end of the process by HIERA_HELPER_PATIENCE_NS, once.
 *
 * A child of fork has no helper, and asking fails, before hiera_helper_go_on(). Exec ends the helper with the
 * other threads. MPI_Finalize does not end it; the end of the process does (hiera_helper_stop()).
 *
 * The functions run in the helper alone, one after the other. They may take as long as they like: what is due meanwhile
 * is called once when they return, and what was missed is not made up for. They must not call MPI, and must not ask for
 * a lock that is held while somebody waits for the helper. */
#ifndef HIERA_HELPER_H
#define HIERA_HELPER_H

#include <stdbool.h>
#include <stdint.h>

enum { HIERA_HELPER_SLOTS = 32 };

#define HIERA_HELPER_SHORTEST_NS UINT64_C(100000)
#define HIERA_HELPER_PATIENCE_NS UINT64_C(1000000000)

/* Call a function every `ns`, at least HIERA_HELPER_SHORTEST_NS, for the first time after `ns`. Makes the thread if
 * there is none. Any thread may ask; not for signal handlers. Keeps errno.
 *
 * @return  what hiera_helper_cancel() needs; 0 if that is not possible: there is no thread, no slot, or this is a child
 *          of fork */
int hiera_helper_every(uint64_t ns, void (*function)(void *data), void *data);

/* From the function itself: call it at this interval from now on. */
void hiera_helper_change(int id, uint64_t ns);

/* Call it no more. Unless the helper itself asks, the function does not run any more when this returns, or it has run
 * for longer than HIERA_HELPER_PATIENCE_NS. */
void hiera_helper_cancel(int id);

/* Begin a thread of its own for what waits for others, with a small stack and all signals blocked
 * that may come from outside: all but SIGTRAP. It ends with the process.
 *
 * @return  whether there is one */
bool hiera_helper_begin_thread(void *(*run)(void *data), void *data);

/* Is this the helper? */
bool hiera_helper_is_me(void);

/* The process ends: nothing is called any more. `wait`: until a function that runs has returned, or
 * HIERA_HELPER_PATIENCE_NS have passed. Safe in a signal handler if it is false. */
void hiera_helper_stop(bool wait);

/* In a child of fork; and where such a child becomes a process of its own: what its parent had asked for is called
 * here, too. */
void hiera_helper_in_child(void);
void hiera_helper_go_on(void);

#endif
