/* The trace of this process, and the cause of its end. Used with the lock held (base/lock.h). */
#pragma once

#include "write/trace_file.h"

#include <limits.h>

/* How the process ends, if it does not end normally after MPI_Finalize. */
typedef struct HieraEnd {
    const char *cause; /* "signal", "MPI_Abort" or the function that was called; NULL: not ended, or a normal end */
    int value;         /* number of the signal, error code or exit status */
    const char *name;  /* name of the signal, or NULL */
    uint64_t ticks;    /* time of the end */
} HieraEnd;

#define HIERA_NO_VALUE INT_MIN

typedef struct HieraSession {
    bool said_lost; /* true once the message about lost operations has been printed */
    bool broken;    /* true if our own writing has faulted: after one more attempt, nothing is written */
    HieraEnd end;
    uint64_t finalize_ticks;                  /* time of MPI_Finalize; 0: not called yet */
    int64_t correction_ns;                    /* added to the times in the trace to get times of the job */
    char *dir;                                /* absolute path of the folder of the traces */
    HieraTraceFile *main;                     /* the trace file; NULL until it is made */
    HieraTraceFile *ended;                    /* sections of threads that have ended; NULL if there are none */
    HieraTraceFile *later_main, *later_ended; /* the same files of the younger generation (generations.h) */
    HieraThread *threads;                     /* all running threads, in any order */
    uint64_t lost_in_callbacks;
    uint64_t lost_inside; /* sums of the fields of the same name in HieraThread, over threads that have ended */
    uint64_t lost_open, lost_unwritten;
    uint64_t lost_profile; /* number of operations of a profile that did not fit on the disk */
    uint64_t lost_threads; /* number of calls of threads for whose records there was no memory */
} HieraSession;

extern HieraSession hiera_session;
