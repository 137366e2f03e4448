/** Who in a team comes last: the idle time of threads, each with the thread that lets it wait. */
#pragma once

#include "rank_threads.h"

/** Classes of idle time: those in teams (HieraIdle), and outside. */
typedef enum {
    HIERA_IDLE_SERIAL = HIERA_N_IDLES, /* the main thread computes, in no team */
    HIERA_IDLE_MPI,                    /* the main thread is in MPI, in no team */
    HIERA_IDLE_UNUSED,                 /* a team has fewer threads than others at other times */
    HIERA_N_THREAD_WAITS
} HieraThreadWaitClass;

/** Return the name of a class, as in the column `class`; a constant. */
const char *hiera_thread_wait_name(guint8 class);

typedef struct {
    guint8 class;   /* HieraThreadWaitClass, or a HieraIdle */
    guint32 row;    /* operation whose call site tells the place; HIERA_NONE: none */
    guint32 inside; /* innermost operation in which the thread is, or outside of teams the main thread */
    guint32 region; /* row of the parallel region; HIERA_NONE: it is in none */
    guint32 thread; /* the thread that idles; HIERA_NONE: `n` threads that are in no team */
    guint32 late;   /* the thread that it waits for; HIERA_NONE: not known */
    guint32 taken;  /* row by which that thread entered the critical section, took the lock, created the task or ran
                       the one before; of a barrier the loop whose end it is; HIERA_NONE: not known */
    gint64 late_ns; /* when that thread comes, leaves the critical section, another one gets the lock, or the task is
                       created or over */
    gint64 n, begin_ns, end_ns;
    gboolean first;            /* whether it is the first wait of these threads for this one: the next two count once */
    gint64 last_ns, others_ns; /* computation of the late thread since the last barrier; mean of the others */
} HieraTeamWait;

typedef void (*HieraTeamWaitVisit)(const HieraTeamWait *wait, gpointer user);

/** Visit all idle time of the threads of a processor. */
void hiera_team_waits_visit(const HieraRankThreads *threads, const HieraTrace *trace, guint32 processor,
                            HieraTeamWaitVisit visit, gpointer user);

/** Step of an arrival at the end of a region; steps at barriers are numbered from 1. */
#define HIERA_STEP_END G_MAXUINT32

/** The arrival of a thread at a barrier of its team, or at the end of the region. */
typedef struct {
    guint32 team, step, thread;
    gint64 arrival_ns;
    gint64 idle_ns, leave_ns; /* when it begins to idle there for the last time before another one leaves (it can run
                                 tasks before and behind that), and ends */
    gint64 useful_ns;         /* computation since the last barrier */
} HieraTeamArrival;

/** Return all arrivals (HieraTeamArrival) by team, step and thread; to be freed with g_array_unref. */
GArray *hiera_team_arrivals_find(const HieraRankThreads *threads, const HieraTrace *trace);
