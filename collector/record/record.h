/* The call path: an operation becomes a record in the buffer of its thread.
 *
 * Idea: a record is written once, in the order of the trace, and never moved. A call costs one look at thread-local
 * state, two readings of the clock, and the stores of its arguments. It takes no lock, allocates nothing, makes no
 * system call and formats nothing: all this happens in hiera_flush() when the buffer is full, outside of all
 * operations. Then the buffer, which is small enough to stay in the caches, is used again.
 *
 * A region is two records, its begin and its end, so that the buffer is a linear image of the tree. If the begin is
 * still in the buffer when the region ends, it gets the finish time too. Another thread may read the records below
 * `next` at any time. */
#pragma once

#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HIERA_ALWAYS      __attribute__((always_inline))
#define HIERA_LIKELY(x)   __builtin_expect(!!(x), 1)
#define HIERA_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Kinds of records that are not MPI calls: values of `HieraRecord.call` that are smaller than HIERA_RECORD_CALLS. */
enum {
    HIERA_RECORD_END,      /* end of the innermost open region */
    HIERA_RECORD_REGION,   /* begin of a region */
    HIERA_RECORD_FUNCTION, /* begin of a call of an instrumented function */
    HIERA_RECORD_COUNTED,  /* number of calls of a function in the open region that were too short for a record */
    HIERA_RECORD_FILTERED, /* begin of a region that is filtered or paused: its children become children of its parent
                            */
    HIERA_RECORD_FLUSH,    /* time that the collector itself took, to write a buffer for example (own_time.h) */
    HIERA_RECORD_VALUES,   /* values of an assertion's variables, just before the end of its region (assertion.h) */
    HIERA_RECORD_COUNTERS, /* what counters have counted during a region, just before its end (region_counters.h) */
    HIERA_RECORD_CALLS     /* first number of MPI calls: an MPI call has a number from here on */
};

typedef struct HieraRecord {
    uint32_t bytes; /* size of the record with its tail, a multiple of 8 */
    uint32_t call;
    uint64_t start;   /* begin of the operation in ticks; in an END record, the end */
    uint64_t finish;  /* end of the operation in ticks, 0 while it is open; END records lack this field */
    const void *site; /* return address of the call; END and FLUSH records lack this field */
} HieraRecord;

enum { HIERA_END_BYTES = 16, HIERA_FLUSH_BYTES = 24 };

/* Record with `call` HIERA_RECORD_FUNCTION; or HIERA_RECORD_FILTERED for a function that is not recorded. */
typedef struct HieraFunctionRecord {
    HieraRecord head;
    const void *function; /* address of the function */
} HieraFunctionRecord;

typedef struct HieraCountedRecord {
    uint32_t bytes, call;
    const void *function; /* address of the function; NULL: calls of several functions together */
    uint64_t count, ticks;
    uint64_t now; /* time in ticks by which all these calls had ended */
} HieraCountedRecord;

/* Record with `call` HIERA_RECORD_REGION or HIERA_RECORD_FILTERED. */
typedef struct HieraRegionRecord {
    HieraRecord head;
    struct HieraName *name;
    uint32_t args_length;
    char args[]; /* text of the region's arguments, with a NUL */
} HieraRegionRecord;

#define HIERA_REGION_BYTES(args_length) HIERA_ROUND_UP(offsetof(HieraRegionRecord, args) + (args_length) + 1)

/* Largest size of a record's tail (array arguments, strings), which is appended when the call has returned. */
#define HIERA_TAIL_ROOM (48u << 10)
/* Largest size of the tail of a call that has one request and no list. */
#define HIERA_TAIL_OF_ONE 128u

/* Open regions and functions for which there was no memory: only their numbers are known. As long as there is one,
 * regions that begin inside it get no entry either, so that each end finds its own begin (open_regions.c). */
typedef struct HieraUnkept {
    uint32_t n; /* number of open regions of all kinds together */
    uint32_t plain, scopes, functions;
    uint32_t plain_before; /* number of plain regions that began before the first scope or function */
    uintptr_t floor;       /* stack address of the first scope or function in this count */
} HieraUnkept;

typedef struct HieraThread {
    char *next;       /* first free byte of the buffer; all records below are complete, except for an open operation */
    char *limit;      /* end of the free bytes of the buffer */
    uintptr_t inside; /* stack frame of the MPI call in progress, 0 if none: MPI calls inside it are not recorded */
    struct HieraOpen *open; /* stack of the open regions, outermost first (open_regions.h) */
    uint32_t n_open, room_open;
    uint32_t n_recorded; /* number of open regions with a record. The rest are calls of functions that may be too short
                        for one */
    char *end; /* real end of the free space. While there are open calls without a record, `limit` is lower, so that
                * they get their records first */
    HieraUnkept unkept;
    uint32_t inside_regions;  /* number of open regions begun inside the MPI call; not recorded */
    struct HieraNames *names; /* names of the thread's regions (region_names.h) */
    uint64_t memo_handle[2];  /* the communicator handle and the datatype handle that were looked up last */
    uint32_t memo_id[2];      /* the trace's numbers of the handles in `memo_handle` */
    uint32_t memo_epoch;
    bool is_writing; /* the thread is writing its buffer: calls made meanwhile, even of the program's malloc, are not
                        recorded */
    bool has_blocks; /* true if some record's list lies in a block outside the buffer */
    bool is_merging; /* records of callbacks are being inserted: functions that are open have begun after these records
                      */
    bool is_wide;    /* true if more of the buffer than usual is in use, for a call that may have long lists */

    char *base;    /* begin of the thread's buffer */
    char *written; /* end of the records that another thread has already written to the trace */
    size_t bytes;
    uint64_t lost_inside;             /* number of regions lost because they began inside an MPI call */
    uint64_t lost_in_callbacks;       /* number of calls lost because callbacks of MPI calls made them */
    uint64_t lost_open;               /* number of regions lost because there was no memory for an entry */
    uint64_t lost_unwritten;          /* number of operations lost because there was no memory to write them */
    struct HieraBalance *balance;     /* counts of begins and ends that do not match (unbalanced.h); NULL: none */
    uintptr_t stack_begin, stack_end; /* bounds of the thread's stack; `stack_end` is 0 until they are looked up */
    unsigned number;                  /* number of the thread in the process; 0: main thread */
    int tid;                          /* the kernel's number of the thread */
    struct HieraTraceFile *stream;
    struct HieraMeasuring
        *measuring;                 /* what the thread had used at begins of assertions (measured.h); NULL: none yet */
    struct HieraCounting *counting; /* values of the counters at the begin of each open region (region_counters.h) */
    struct HieraExpecting *expecting; /* what this thread measures for rules (expect/); NULL: nothing */
    struct HieraProbed *probed;       /* what the probe script keeps for this thread (probing/); NULL: nothing yet */
    struct HieraSampling *sampling;   /* samples of where the thread is (sampling/); NULL: no sampling */
    struct HieraProfile *profile;     /* sums per call site of the thread's operations (profile/); NULL: none yet */
    struct HieraBegins *begins;       /* begins of open regions, for a file that starts later (latest/); NULL: none */
    struct HieraTraceFile *later;     /* the file that starts later, for HIERA_MODE=window (latest/); NULL: none */
    struct HieraThread *next_thread;
    struct HieraThread *callbacks; /* second state of the thread, for calls in callbacks of the MPI call in progress
                                      (mpi/call/callbacks.h) */
    struct HieraThread *around; /* in a state for callbacks: the state with the MPI call that calls them; else NULL */
    uint64_t around_start;      /* in a state for callbacks: begin of the MPI call that calls them; 0: no record */
    uint64_t n_calls;           /* in a state for callbacks: number of calls recorded in it */
    uint64_t mpi_ticks;         /* time in MPI calls of records that are not in the buffer any more */
    char *walked; /* record at which the next search for the buffer's last record starts; NULL: at the buffer's begin */
} HieraThread;

extern __thread HieraThread *hiera_thread __attribute__((tls_model("initial-exec")));

/* Counts of open regions that began in this thread when there was no memory for its HieraThread. */
extern __thread HieraUnkept hiera_unattached __attribute__((tls_model("initial-exec")));

/* Number of reasons for not recording (disabled, paused, forked child, closed, fatal signal); 0: recording is on. */
extern int hiera_idle HIERA_INTERNAL;

/* Slow path of hiera_is_idle(): if another thread handles a fatal signal, wait until the process has ended or goes on,
 * because a call made meanwhile would be lost (fatal_signals.c). Then return hiera_idle. Keeps errno. */
int hiera_idle_at_last(void);

/* Read hiera_idle, which other threads may change at any time; unlike hiera_is_idle(), never wait. */
static inline int hiera_may_be_idle(void)
{
    return __atomic_load_n(&hiera_idle, __ATOMIC_RELAXED);
}

static inline int hiera_is_idle(void)
{
    return HIERA_UNLIKELY(hiera_may_be_idle()) ? hiera_idle_at_last() : 0;
}

/* Make the HieraThread of this thread, when the thread first records; NULL: recording has ended, or no memory. */
HieraThread *hiera_thread_attach(void);

/* All lists of a call are in the buffer: let the thread use only the usual part of the buffer again. */
void hiera_thread_narrow(HieraThread *thread);

/* Make the thread's next event call hiera_flush(), which puts the records of callbacks behind the last record. */
void hiera_thread_hold(HieraThread *thread);

/* Record the end of the MPI call in progress: longjmp or an exception has left it (mpi/call/callbacks.c). */
void hiera_call_left(HieraThread *thread);
/* Call hiera_call_left() if longjmp or an exception has left the MPI call in progress. For moments that are no events
 * of a trace: the end of the process, a signal. @param stack  lowest address of the stack in use */
void hiera_call_check_left(uintptr_t stack);

/* Write the full buffer and make room for `bytes`. Returns false if that fails: then the record is counted as lost.
 * Keeps errno. */
bool hiera_flush(HieraThread *thread, size_t bytes);

static inline HieraThread *hiera_thread_current(void)
{
    HieraThread *thread = hiera_thread;
    return HIERA_LIKELY(thread != NULL) ? thread : hiera_thread_attach();
}

/* Make sure that `bytes` are free at the end of the buffer. Returns false if they cannot be freed. */
static inline bool hiera_record_room(HieraThread *thread, size_t bytes)
{
    return HIERA_LIKELY((size_t)(thread->limit - thread->next) >= bytes) || hiera_flush(thread, bytes);
}

/* Make the next `bytes` of the buffer, filled after hiera_record_room(), part of the trace. */
static inline void hiera_record_take(HieraThread *thread, size_t bytes)
{
    __atomic_store_n(&thread->next, thread->next + bytes, __ATOMIC_RELEASE);
}

#define HIERA_ROUND_UP(bytes) (((bytes) + 7u) & ~(size_t)7u)
