/* The trace files of this process, its threads, and the cause of its end. Used with the lock held (base/lock.h). */
#pragma once

#include "write/trace_file.h"

#include <limits.h>

/* How the process ends; cause is NULL if it ends normally after MPI_Finalize. */
typedef struct HieraEnd {
    const char *cause; /* "signal", "MPI_Abort" or the called function; NULL: not ended, or a normal end */
    int value;         /* signal number, error code or exit status; HIERA_NO_VALUE: none */
    const char *name;  /* name of the signal; NULL: no signal, or no name */
    uint64_t ticks;    /* time of the end, in ticks */
    const char *stack; /* in a copy of the trace of a process that still runs: where its threads are; else NULL */
} HieraEnd;

#define HIERA_NO_VALUE INT_MIN

/* Levels of thread support. No text: what completes the trace of a killed process cannot read that of another one. */
typedef enum HieraThreadLevel {
    HIERA_THREADS_UNKNOWN,
    HIERA_THREADS_SINGLE,
    HIERA_THREADS_FUNNELED,
    HIERA_THREADS_SERIALIZED,
    HIERA_THREADS_MULTIPLE
} HieraThreadLevel;

typedef struct HieraSession {
    bool said_lost; /* the message about lost operations has been printed */
    bool broken;    /* Hiera's own writing has caused a fault; after one more attempt, nothing is written */
    HieraEnd end;
    HieraThreadLevel thread_level;            /* that MPI has provided */
    uint64_t finalize_ticks;                  /* time of MPI_Finalize, in ticks; 0: not called yet */
    int64_t correction_ns;                    /* times in the trace + correction_ns = times of the job */
    char *dir;                                /* absolute path of the folder of the traces */
    HieraTraceFile *main;                     /* the trace file; NULL: not created yet */
    HieraTraceFile *ended;                    /* file with the sections of ended threads; NULL: there are none */
    HieraTraceFile *later_main, *later_ended; /* main and ended of the younger of two generations (generations.h) */
    HieraThread *threads;                     /* linked list of all running threads, in any order */
    uint64_t lost_in_callbacks;
    uint64_t lost_inside; /* lost_…: number of lost operations, as in HieraThread, but of ended threads together */
    uint64_t lost_open, lost_unwritten;
    uint64_t lost_profile; /* number of operations in profiles that did not fit on the disk */
    uint64_t lost_threads; /* number of calls in threads for whose records there was no memory */
} HieraSession;

extern HieraSession hiera_session;
