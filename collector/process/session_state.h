/* The trace of this process, and what is known of its end. With the lock held (base/lock.h). */
#ifndef HIERA_SESSION_STATE_H
#define HIERA_SESSION_STATE_H

#include "write/trace_file.h"

#include <limits.h>

/* How the process ends, if not by itself after MPI_Finalize. */
typedef struct HieraEnd {
    const char *cause; /* NULL: not yet, or as it should; else "signal", "MPI_Abort" or the function that was called */
    int value;         /* number of the signal, error code, exit status */
    const char *name;  /* of the signal, or NULL */
    uint64_t ticks;    /* when */
} HieraEnd;

#define HIERA_NO_VALUE INT_MIN

typedef struct HieraSession {
    bool said_lost; /* the user knows what was lost */
    bool broken;    /* a fault within our own writing: what is written after it is the last */
    HieraEnd end;
    uint64_t finalize_ticks; /* 0: not yet */
    int64_t correction_ns;   /* to be added to what stands in the trace for the times of the job */
    char *dir;               /* absolute */
    HieraTraceFile *main;    /* the trace; NULL before its file is made */
    HieraTraceFile *ended;   /* sections of threads that have ended; NULL if there are none */
    HieraThread *threads;    /* all that live, any order */
    uint64_t lost_inside;    /* of threads that have ended, as in HieraThread */
    uint64_t lost_open, lost_unwritten;
    uint64_t lost_threads; /* calls of threads for whose records there was no memory */
} HieraSession;

extern HieraSession hiera_session;

#endif
