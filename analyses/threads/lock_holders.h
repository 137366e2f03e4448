/** Who has a lock, or is in a critical section, from when to when. */
#pragma once

#include "thread_spans.h"

typedef struct {
    guint32 thread;  /* HIERA_NONE: not known */
    guint32 row;     /* by which it took the lock, or entered the section; HIERA_NONE: not known which one it is */
    gint64 until_ns; /* when it leaves the section, or gives the lock back */
} HieraHolder;

/** Find the holders of all locks and critical sections of a processor. @return  to be freed with g_array_unref */
GArray *hiera_lock_holders_find(const HieraTrace *trace, guint32 processor);

/** Return the thread that has a lock, or is in a critical section, longest while the thread of a row waits for it.
 *
 * @param row  the wait, of which the time between begin_ns and end_ns is looked at */
HieraHolder hiera_lock_holders_ask(const GArray *holders, const HieraTrace *trace, guint32 row, gint64 begin_ns,
                                   gint64 end_ns);
