/** Which thread of OpenMP has which lock, or is in which critical section, from when to when. */
#pragma once

#include "thread_spans.h"

typedef struct {
    gint64 lock; /* which one; HIERA_ABSENT, or less, if its number is not recorded */
    guint32 thread, row;
    gint64 ask_ns, begin_ns, end_ns; /* when the thread begins to wait for it, has it, and has it no longer */
    gint change;                     /* 1: the operation takes a lock; -1: it gives it back; 0: critical section */
} HieraLockHeld;

/** Find the sections of a rank's threads while it runs: by lock, in the order in which they begin. One that takes no
 * time, and for which nobody waits, is left out. Sections whose locks have no number, as in older traces, share one,
 * unless threads are in two at the same time, or one is in another: then those of each place share one.
 *
 * @param threads  set of the numbers of threads that are looked at; NULL: all
 * @return HieraLockHeld, to be freed with g_array_unref */
GArray *hiera_locks_held_find(const HieraTrace *trace, guint32 processor, GHashTable *threads);

/** Return until when a section lasts for those that follow. Who comes next may have been seen in it before the one that
 * leaves it said so: times of both may overlap a little.
 *
 * @param next  the next section of the lock; NULL: there is none */
gint64 hiera_lock_held_until(const HieraLockHeld *held, const HieraLockHeld *next);

typedef struct {
    guint32 thread;  /* HIERA_NONE: not known */
    guint32 row;     /* by which it took the lock, or entered the section; HIERA_NONE: not known which one it is */
    gint64 until_ns; /* when it leaves the section, or gives the lock back */
} HieraHolder;

/** Return the thread that has a lock, or is in a critical section, longest while the thread of a row waits for it.
 *
 * @param sections  of hiera_locks_held_find(), of all threads
 * @param row       the wait, of which the time between begin_ns and end_ns is looked at */
HieraHolder hiera_lock_holders_ask(const GArray *sections, const HieraTrace *trace, guint32 row, gint64 begin_ns,
                                   gint64 end_ns);
