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

/** Visit each time that a lock goes from one thread to another, also where that does not wait for it. Critical sections
 * and locks without numbers (older traces) are not visited.
 *
 * @param left_ns   when the one thread leaves the section, or gives the lock back
 * @param ask_ns    when the other one wants it
 * @param begin_ns  when it has it: not before the others */
typedef void (*HieraHandOverVisit)(guint32 from, gint64 left_ns, guint32 to, gint64 ask_ns, gint64 begin_ns,
                                   gpointer user);
void hiera_lock_holders_visit(const GArray *holders, const HieraTrace *trace, HieraHandOverVisit visit, gpointer user);

/** Return the thread that has a lock, or is in a critical section, longest while the thread of a row waits for it.
 *
 * @param row  the wait, of which the time between begin_ns and end_ns is looked at */
HieraHolder hiera_lock_holders_ask(const GArray *holders, const HieraTrace *trace, guint32 row, gint64 begin_ns,
                                   gint64 end_ns);
