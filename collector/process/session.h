/* The life of the collector in a process: loaded → joined (MPI_Init) → settled (MPI_Finalize) → closed (exit).
 *
 * The lock (base/lock.h) guards all of it. */
#ifndef HIERA_SESSION_H
#define HIERA_SESSION_H

#include "record/record.h"
#include "write/trace_file.h"

#include <limits.h>
#include <sys/types.h>

/* What a rank must know of its job; given by the MPI level once MPI is there. */
typedef struct HieraJob {
    int rank;
    int size;
    int first, traced;   /* the first rank that runs with Hiera, and how many do; 0: not known */
    uint64_t id;         /* the same on all ranks of one run */
    int64_t zero_ns;     /* the job's common start on this host's CLOCK_MONOTONIC */
    uint64_t init_ticks; /* when MPI_Init returned */
    HieraClockFit clock; /* this host's clock against rank 0's */
} HieraJob;

/* How the process ends, if not by itself after MPI_Finalize. */
typedef struct HieraEnd {
    const char *cause; /* NULL: not yet, or as it should; else "signal", "MPI_Abort" or the function that was called */
    int value;         /* number of the signal, error code, exit status */
    const char *name;  /* of the signal, or NULL */
    uint64_t ticks;    /* when */
} HieraEnd;

#define HIERA_NO_VALUE INT_MIN

typedef struct HieraSession {
    bool loaded, joined, closed;
    bool said_lost; /* the user knows what was lost */
    bool broken;    /* a fault within our own writing: what is written after it is the last */
    pid_t pid; /* of the process that records; a child shares its memory at times, never its trace */
    HieraJob job;
    HieraEnd end;
    uint64_t finalize_ticks; /* 0: not yet */
    int64_t correction_ns;   /* to be added to what stands in the trace for the times of the job */
    char *dir;               /* absolute */
    HieraStream *main;       /* the trace; NULL before its file is made */
    HieraStream *ended;      /* sections of threads that have ended; NULL if there are none */
    HieraThread *threads;    /* all that live, any order */
    uint64_t lost_inside;    /* of threads that have ended, as in HieraThread */
    uint64_t lost_open, lost_unwritten;
    uint64_t lost_threads; /* calls of threads for whose records there was no memory */
} HieraSession;

extern HieraSession hiera_session;

/* Read settings and clock; called by the library's constructor or by whatever comes before it. */
void hiera_session_load(void);

/* From here on all is written into this folder of the folder. Where that is not possible, nothing is recorded. */
void hiera_session_descend(const char *name);

/* MPI is there: open the trace. Returns 0 or the errno that kept it from being opened. */
int hiera_session_join(const HieraJob *job);

/* MPI is about to go: write everything, leave the trace whole. Recording goes on. */
void hiera_session_settle(uint64_t finalize_ticks);

/* The clock is known better: the trace's header says so. */
void hiera_session_set_clock(const HieraClockFit *fit);

/* Write everything now; the trace is whole afterwards. `all`: MPI calls in progress too, since they will not return. */
void hiera_session_write_all(bool all);

/* The process ends now: write all, for the last time. Without MPI_Finalize the trace says by what; `careful` as in
 * hiera_lock_is_careful(), else found out. */
void hiera_session_end(const char *cause, int value, bool careful);

/* MPI is about to end the process, this call will not return: write everything, first as fast as it can be done, then
 * with the names of call sites. False if how the process ends is noted already. hiera_session_live_on(): it did not. */
bool hiera_session_write_before_end(const char *cause, int value, const char *name);
void hiera_session_live_on(void);

/* Note for the trace how the process ends; false if that is noted already: what happens first brings the rest. */
bool hiera_session_note_end(const char *cause, int value, const char *name);

/* Look up what comes behind our _exit (exit_hooks.c) and execve (exec_hooks.c). */
void hiera_exits_load(void);
void hiera_exec_load(void);

/* In the handler of a fatal signal: write everything on trial. False if that cannot be done now. */
bool hiera_session_write_carefully(void);

/* That faulted: nothing is written any more, and nobody waits for the lock. */
void hiera_session_give_up(void);

/* Take over the signals that end the process (fatal_signals.c). Once the trace is open. */
void hiera_signals_arm(void);

/* The memory is the alternate stack of this thread, if it has none; and is it no longer (fatal_signals.c). */
void hiera_signals_give_stack(void *memory, size_t bytes);
void hiera_signals_take_stack(const void *memory);

/* Operations that are lost so far, and the errno of the reason (0: none). */
uint64_t hiera_session_lost(int *error);

/* Threads (threads.c). With the lock held. */
void hiera_threads_write(HieraThread *thread, bool all, HieraFlush flush);
HieraStream *hiera_threads_new_stream(unsigned number);
void hiera_threads_load(void);

/* mkdir -p (trace_document.c). Returns 0 or the errno. */
int hiera_trace_make_dir(const char *dir);

/* The trace's file (trace_document.c). With the lock held. */
bool hiera_trace_open(void);
bool hiera_trace_path(char *path, size_t size, int rank); /* of the trace of a rank */
unsigned long long hiera_trace_unique(void);              /* no other process has the same */
void hiera_trace_put_header(void);
void hiera_trace_tail(HieraStream *stream);       /* while the job runs */
void hiera_trace_final_tail(HieraStream *stream); /* with the sections of all threads */
void hiera_trace_end_thread(HieraThread *thread);

/* The files beside the traces (companion_files.c): configuration, grammars, stylesheet. */
/* Traces of `n` of `size` processes: those of `ranks`, NULL for the first n. */
void hiera_files_write(const char *dir, const char *application, int size, const int *ranks, int n);
bool hiera_files_are_there(const char *dir);
const char *hiera_files_application(void);

#endif
