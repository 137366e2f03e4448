/** Where threads of OpenMP of a rank depend on each other: begins and ends of regions, barriers, critical sections,
 * locks, tasks.
 *
 * A join comes at a moment, when the last of the threads that it needs has come there; then those go on that wait for
 * it. At the begin of a region it needs the thread that begins it, and the others wait; at a barrier all come and wait;
 * at the end all come, and the one that began the region waits. When a critical section is left, or a lock given back,
 * it needs that thread and the one that has it next, which waits: also where that came later. So it is with a task, or
 * the wait for some: it needs the threads that have created it, and that run those before (task_needs.h). */
#pragma once

#include "rank_threads.h"

typedef enum {
    HIERA_JOIN_BEGIN,
    HIERA_JOIN_BARRIER,
    HIERA_JOIN_END,
    HIERA_JOIN_CRITICAL,
    HIERA_JOIN_TASK
} HieraJoinKind;

/** A thread at a join. */
typedef struct {
    guint32 thread;
    gboolean comes, waits; /* whether the join needs it, and whether it goes on only then */
    gint64 arrival_ns;     /* when it comes, or begins to wait */
    gint64 leave_ns;       /* when it goes on, if it waits */
} HieraJoinMember;

typedef struct {
    HieraJoinKind kind;
    guint32 team;    /* HIERA_NONE of a critical section or a task */
    gint64 at_ns;    /* when the last one has come */
    guint first, n;  /* its members */
    guint32 n_comes; /* how many it needs */
} HieraThreadJoin;

typedef struct {
    GArray
        *joins; /* HieraThreadJoin, in order of time; of one moment, in the order in which they depend on each other */
    GArray *members;  /* HieraJoinMember */
    guint n_unknown;  /* times in which threads wait for tasks of which it is not known who runs them */
    guint n_left_out; /* joins that the times contradict: a thread goes on before the last one has come */
} HieraThreadJoins;

/** Find the joins of a processor's threads. */
void hiera_thread_joins_find(HieraThreadJoins *joins, const HieraRankThreads *threads, const HieraTrace *trace,
                             guint32 processor);
void hiera_thread_joins_clear(HieraThreadJoins *joins);

/** Say in a table how many joins were left out. With several processes all must call it, each with its own. */
void hiera_thread_joins_limit(gint64 n_left_out, const HieraTrace *trace, const HieraScope *scope, HieraTable *table);

/** When a thread comes to a join, or when the join comes: then those go on that wait. */
typedef struct {
    gint64 at_ns;
    guint32 join;
    guint32 member; /* the one that comes; HIERA_NONE: the join itself */
} HieraThreadMoment;

/** Return the moments (HieraThreadMoment) of all joins in order of time, of one moment in that of the joins, whose
 * members come before themselves. To be freed with g_array_unref. */
GArray *hiera_thread_moments_list(const HieraThreadJoins *joins);
