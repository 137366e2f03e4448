/** The threads of OpenMP of one rank: its parallel regions, and what each thread does in them.
 *
 * A team is one execution of a parallel region by two or more threads. From its begin to its end each of its threads
 * computes, is in MPI, or idles: before its implicit task begins and after it has ended, in a barrier, while it waits
 * for tasks, and before code that only one thread may enter. A task that runs meanwhile is computation. Outside of all
 * teams only the main thread is looked at.
 *
 * An implicit task of another thread belongs to the region with its number. Older traces have no numbers: then it
 * belongs to the region that was open from its begin to its end; of several (nested ones) to that of the same line, of
 * these to the one with the fewest threads so far. A region of one thread is no team: what is in it is in the team
 * around. */
#pragma once

#include "calls/span_cutter.h"

/** Before the name of what a thread waits for. */
#define HIERA_ACQUIRE "acquire "
/** Name of the operation that creates a task. */
#define HIERA_CREATE_TASK "create task"

typedef struct {
    guint32 row;             /* row of the operation `parallel` */
    guint32 n_threads;       /* number of its threads that the trace has */
    gint64 begin_ns, end_ns; /* of the operation */
} HieraTeam;

/** Why a thread of a team idles: X(identifier, name). */
#define HIERA_IDLES(X)                                                                                                 \
    X(START, "start of region") /* it has not begun its implicit task */                                               \
    X(BARRIER, "wait at barrier")                                                                                      \
    X(END, "end of region") /* its implicit task has ended, and others go on */                                        \
    X(TASKS, "wait for tasks")                                                                                         \
    X(CRITICAL, "wait for critical")                                                                                   \
    X(LOCK, "wait for lock")

typedef enum {
    HIERA_IDLE_NOT,
#define X(identifier, name) HIERA_IDLE_##identifier,
    HIERA_IDLES(X)
#undef X
        HIERA_N_IDLES
} HieraIdle;

/** What a thread does from one moment to another. Spans of a thread do not overlap. */
typedef struct {
    gint64 begin_ns, end_ns;
    guint32 thread;   /* number of the thread; 0: the main thread */
    guint32 team;     /* index of the team; HIERA_NONE: of none (only of the main thread) */
    guint32 row;      /* row of the MPI call or innermost operation, of START and END of the team; HIERA_NONE: none */
    guint32 next;     /* row of the operation that begins at the end; HIERA_NONE: none begins there */
    HieraDoing doing; /* HIERA_DOES_COMPUTE also if it idles */
    HieraIdle idles;  /* HIERA_IDLE_NOT unless it is in a team */
} HieraThreadSpan;

/** A change of the number of threads that are in teams, beside the main thread. */
typedef struct {
    gint64 at_ns;
    gint32 change;
} HieraThreadChange;

typedef struct {
    guint32 n_threads;   /* most threads that teams have at one time, with the main thread */
    gboolean has_others; /* whether other threads than the main thread have operations outside of teams */
    GArray *teams;       /* HieraTeam, in order of begin */
    GArray *changes;     /* HieraThreadChange, in order of time */
    GArray *spans;       /* HieraThreadSpan, by thread and time */
} HieraRankThreads;

/** Return the number of the region or the lock that a construct of OpenMP belongs to (constructs.h); HIERA_ABSENT: it
 * has none. */
static inline gint32 hiera_construct_number(const HieraTrace *trace, guint32 row)
{
    return hiera_trace_peek_sparse(trace, row)->rtag;
}

/** Whether an operation is one of the level of OpenMP, with this name. */
static inline gboolean hiera_site_is_openmp(const HieraSite *site, const char *operation)
{
    return g_str_equal(site->level, "openmp") && g_str_equal(site->operation, operation);
}
