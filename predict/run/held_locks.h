/* Which thread of OpenMP has which lock, or is in which critical section, from when to when. */
#pragma once

#include "hiera_trace.h"

typedef struct {
    gint64 lock; /* which one; HIERA_ABSENT, or less, if its number is not recorded */
    guint32 thread, row;
    gint64 ask_ns, begin_ns, end_ns; /* when the thread begins to wait for it, has it, and has it no longer */
    gint change;                     /* 1: the operation takes a lock; -1: it gives it back; 0: critical section */
} HeldLock;

/* Find the sections of a rank's threads while it runs: by lock, in the order in which they begin. One that takes no
 * time, and for which nobody waits, is left out. Sections whose locks have no number, as in older traces, share one,
 * unless threads are in two at the same time, or one is in another: then those of each place share one.
 *
 * @param threads  set of the numbers of threads that are looked at
 * @return HeldLock, to be freed with g_array_unref */
GArray *held_locks_find(const HieraTrace *trace, guint32 processor, GHashTable *threads);

/* Whether two threads are in sections at the same time; `b` does not begin first. Times of one that leaves and one that
 * enters may overlap a little. */
gboolean sections_overlap(const HeldLock *a, const HeldLock *b);
