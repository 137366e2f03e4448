/* What the threads of OpenMP of a rank do, as a list of acts for each: spans of its timeline, and gates of the
 * simulator at which threads wait for each other.
 *
 * A region begins on its other threads when its first thread has begun it; a barrier, and the end of a region, let
 * threads go on when all have come; a critical section is entered, and a lock taken, in the recorded order. What a
 * thread takes to go on after the last one has come takes as long as recorded. So do waits for tasks, and for locks
 * whose numbers are not recorded: nobody knows for whom. */
#pragma once

#include "recorded_run.h"
#include "threads/thread_joins.h"

typedef enum {
    ACT_SPAN,    /* a span of the timeline; all others are gates */
    ACT_BEGIN,   /* a region begins: gate `gate`, for those who enter it */
    ACT_ENTER,   /* another thread enters the region */
    ACT_BARRIER, /* a barrier; also where a task begins, or a wait for tasks ends: then of no team */
    ACT_END,     /* the end of the region */
    ACT_ACQUIRE, /* before a critical section, or where a lock is taken; `gate` is that of the lock */
    ACT_RELEASE, /* behind it */
    ACT_PAUSE,   /* as long as recorded, whatever the others do */
    ACT_OPEN     /* a lock can be taken, from the begin of the run on */
} ActKind;

typedef struct {
    ActKind kind;
    guint32 thread;                   /* number of the thread, as recorded */
    guint32 team;                     /* of BEGIN, ENTER, BARRIER, END: index of the team */
    guint32 gate, adds, needs, takes; /* as in HieraSimOperation */
    gint64 after_ns;                  /* passes once the gate is open */
    HieraTimeSpan span;               /* what of the timeline the act stands for; of length 0: nothing */
} Act;

/* What is asked for, and what was found. */
typedef struct {
    guint32 n_threads;     /* how many threads all regions of main threads get; 0: as recorded */
    guint args;            /* column of the attribute `args`, which tells the schedules of loops; HIERA_NONE: none */
    guint32 n_gates;       /* numbers of gates that are in use */
    gint64 n_paused;       /* waits for tasks and other things, and MPI calls of other threads: as long as recorded */
    gint64 n_contradicted; /* waits of threads for each other that times contradict: as long as recorded */
    gint64 n_ranks;        /* ranks with teams */
    gint64 n_nested; /* regions and sections in others, and what times contradict: there the number of threads is not
                        changed */
    guint64 n_made, n_large; /* acts that were made for other numbers of threads; ranks for which there are too many */
    gint64 n_regions;        /* regions whose number of threads is changed */
} ActsFound;

/* Find the acts of the threads of a rank, the main thread first.
 *
 * @return GArray of Act by thread; NULL: it has one thread. To be freed with g_ptr_array_unref */
GPtrArray *thread_acts_find(ActsFound *found, const RecordedRun *run, guint32 processor);

/* Return how long the span of an act lasts. */
static inline gint64 act_span_ns(const Act *act)
{
    return act->span.end_ns - act->span.begin_ns;
}

/* Let threads go on where they would wait for each other for ever (stuck_acts.c): then times contradict each other, and
 * the wait takes as long as recorded.
 *
 * @param acts  of a rank, which has the gates from `first_gate` to before `behind_gate`
 * @return how many waits these are */
guint stuck_acts_open(const GPtrArray *acts, guint32 first_gate, guint32 behind_gate);

/* Give the regions that are not in others found->n_threads threads (resized_teams.c).
 *
 * What a team computes between two barriers is laid out side by side, thread after thread, as the parts of a loop of
 * static schedule are, and cut into as many parts of the same width. Each thread's part is as wide as those of the
 * others; where loops of dynamic schedule have most of it, as wide as its computation, so that all parts get the same.
 * What is in a critical section, `single` or `ordered`, and pauses, are in one part as a whole. MPI calls of the main
 * thread stay there. @param acts  of a rank; is replaced */
void resized_teams_make(ActsFound *found, const HieraTrace *trace, GPtrArray **acts);
