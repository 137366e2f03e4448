/* The trace of this process, and the cause of its end. Used with the lock held (base/lock.h). */
#ifndef HIERA_SESSION_STATE_H
#define HIERA_SESSION_STATE_H

#include "write/trace_file.h"

#include <limits.h>

/* How the process ends, if it does not end normally after MPI_Finalize. */
typedef struct HieraEnd {
    const char *cause; /* "signal", "MPI_Abort" or the function that was called; NULL: not ended, or a normal end */
    int value;         /* number of the signal, error code or exit status */
    const char *name;  /* of the signal; or NULL */
    uint64_t ticks;    /* time of the end */
} HieraEnd;

#define HIERA_NO_VALUE INT_MIN

typedef struct HieraSession {
    bool said_lost; /* the message about lost operations has been printed */
    bool broken;    /* our own writing has faulted: one more attempt is the last */
    HieraEnd end;
    uint64_t finalize_ticks;                  /* 0: not yet */
    int64_t correction_ns;                    /* added to the times in the trace to get times of the job */
    char *dir;                                /* absolute */
    HieraTraceFile *main;                     /* the trace; NULL before its file is made */
    HieraTraceFile *ended;                    /* sections of threads that have ended; NULL if there are none */
    HieraTraceFile *later_main, *later_ended; /* of the generation that begins later (generations.h) */
    HieraThread *threads;                     /* all running threads, in any order */
    uint64_t lost_in_callbacks;
    uint64_t lost_inside; /* of threads that have ended, as in HieraThread */
    uint64_t lost_open, lost_unwritten;
    uint64_t lost_profile; /* operations of a profile that did not fit on the disk */
    uint64_t lost_threads; /* calls of threads for whose records there was no memory */
} HieraSession;

extern HieraSession hiera_session;

#endif
