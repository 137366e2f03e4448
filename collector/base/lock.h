/* The lock of all that writes: streams, call sites, clock anchors, the list of threads. Never taken on the call path.
 *
 * Who holds it may have to be careful: in a handler of a signal that has interrupted malloc or the dynamic linker, both
 * would wait for themselves. */
#ifndef HIERA_LOCK_H
#define HIERA_LOCK_H

#include <stdbool.h>

/* Take and give back the lock. In between no signal handler of the program runs in this thread, which could jump out
 * and never come back, and nobody cancels it. False: this thread has the lock already, in a handler
 * of a fault that our own writing has brought. */
bool hiera_lock_enter(void) __attribute__((warn_unused_result));
void hiera_lock_leave(void);

/* The same where waiting for ever would hang the job: gives up after a few seconds. */
bool hiera_lock_enter_for_a_while(void) __attribute__((warn_unused_result));

/* Has this thread the lock? */
bool hiera_lock_is_own(void);

/* Must whoever holds the lock leave malloc and the dynamic linker alone, since a signal handler runs? Unknown whenever
 * the lock is taken. */
typedef enum HieraCare { HIERA_CARE_UNKNOWN, HIERA_CARE_NEEDLESS, HIERA_CARE_TAKEN } HieraCare;

/* Find that out, if it is not known: some system calls. */
bool hiera_lock_is_careful(void);

/* What is known so far. */
HieraCare hiera_lock_care(void);

/* It is known without asking. */
void hiera_lock_set_care(HieraCare care);

#endif
