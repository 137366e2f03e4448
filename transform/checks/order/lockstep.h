/* What calls wait for where MPI buffers no message and every collective call waits for all members: the least that MPI
 * promises (MPI 4.1, 3.5 and 6.16), on which a portable program must be able to run.
 *
 * Rows are those of a trace with the operations of all processes (hiera_scope_row_of_all). */
#pragma once

#include "checks/checks.h"

/* Flags of a wait. */
enum {
    HIERA_AWAIT_MAYBE =
        1,                /* the call could have got something else, or have gone on: a wildcard, a test, MPI_Waitany */
    HIERA_AWAIT_SEND = 2, /* the wait of a sender for its receive */
    HIERA_AWAIT_GROUP = 4, /* `awaited` is a group */
    HIERA_AWAITED_OF = 8   /* `waiter` is a group: it has begun when all that it waits for have */
};

/* `waiter` cannot end before `awaited` has begun. */
typedef struct {
    guint32 waiter, awaited;
    guint32 flags;
} HieraAwait;

/* Operations of one thread: the rows from `first` to before the next thread's. */
typedef struct {
    guint32 first, rank;
} HieraThreadRows;

/* A receive from any source, and the send that it got; HIERA_NONE: none. */
typedef struct {
    guint32 row, from;
} HieraWildReceive;

typedef struct {
    GArray *awaits, *lanes, *wild; /* HieraAwait, HieraThreadRows, HieraWildReceive */
} HieraLockstep;

/* A thread in a circle, the call of the next one that it waits for, and flags of the wait. */
typedef struct {
    guint32 row, awaited;
    guint32 flags;
    gboolean last; /* whether the circle ends here */
} HieraHop;

/* Find the waits of this process's ranks; to be cleared with hiera_lockstep_clear(). */
void hiera_lockstep_find(const HieraCheck *check, HieraLockstep *lockstep);
/* Run all ranks, of all processes, and find the circles in which they get stuck.
 * @param n_rows  number of operations  @param hops  receives HieraHop, circle after circle */
void hiera_lockstep_run(const HieraLockstep *lockstep, guint32 n_rows, GArray *hops);
void hiera_lockstep_clear(HieraLockstep *lockstep);
