/* The lock of the writer: protects trace files, call sites, clock anchors and the list of threads. The call path never
 * takes it.
 *
 * The holder may have to be careful: in a signal handler that has interrupted malloc or the dynamic linker, calling
 * either would deadlock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Take and release the lock. While it is held, signals are blocked in this thread (a handler of the program might
 * longjmp out), and the thread cannot be cancelled. Returns false if this thread holds the lock already: it is in the
 * handler of a fault that the collector's own writing has caused. */
bool hiera_lock_enter(void) __attribute__((warn_unused_result));
void hiera_lock_leave(void);

/* As hiera_lock_enter(), but returns false after a few seconds, where waiting for ever would hang the job. */
bool hiera_lock_enter_for_a_while(void) __attribute__((warn_unused_result));

/* Count of the times that the lock was taken or released: odd while it is held. Who reads the memory of this process
 * from outside knows by it whether something was written meanwhile (process/live.h). */
extern uint64_t hiera_lock_turns;

/* Whether the calling thread holds the lock. */
bool hiera_lock_is_own(void);

/* In a child of fork: reinitialise the lock, since another thread of the parent may have held it. */
void hiera_lock_renew(void);

/* Whether the holder must avoid malloc and the dynamic linker because a signal handler runs. Unknown each time the lock
 * is taken. */
typedef enum HieraCare { HIERA_CARE_UNKNOWN, HIERA_CARE_NEEDLESS, HIERA_CARE_TAKEN } HieraCare;

/* Whether the holder must avoid malloc and the dynamic linker. If unknown, search the stack with system calls. */
bool hiera_lock_is_careful(void);

/* Return whether the holder must avoid malloc, as far as known already; makes no system calls. */
HieraCare hiera_lock_care(void);

/* Set whether the holder must avoid malloc, for a caller who knows whether a signal handler runs. */
void hiera_lock_set_care(HieraCare care);
