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

/* Kinds of records that are not MPI calls: values of `HieraRecord.call` below HIERA_RECORD_CALLS. */
enum {
    HIERA_RECORD_END,      /* closes the innermost open region */
    HIERA_RECORD_REGION,   /* opens a region */
    HIERA_RECORD_FUNCTION, /* opens a call of a function */
    HIERA_RECORD_COUNTED,  /* calls of a function in the innermost open region that were too short to be recorded */
    HIERA_RECORD_HIDDEN,   /* opens a region that is filtered or paused: its children become children of its parent */
    HIERA_RECORD_FLUSH,    /* time that the collector took, to write a buffer for example (own_time.h) */
    HIERA_RECORD_VALUES,   /* an assertion and its variables, just before its region ends (assertion.h) */
    HIERA_RECORD_COUNTERS, /* counts of counters during a region, just before its end (region_counters.h) */
    HIERA_RECORD_CALLS     /* number of the first call of the MPI level */
};

typedef struct HieraRecord {
    uint32_t bytes; /* size of the whole record, a multiple of 8 */
    uint32_t call;
    uint64_t start;   /* time in ticks; in an END, the time of the end */
    uint64_t finish;  /* ticks, 0 while the operation is open. Absent in an END */
    const void *site; /* return address. Absent in an END and a FLUSH */
} HieraRecord;

enum { HIERA_END_BYTES = 16, HIERA_FLUSH_BYTES = 24 };

/* Record of a FUNCTION, and a HIDDEN for a function that is not recorded. */
typedef struct HieraFunctionRecord {
    HieraRecord head;
    const void *function; /* address of the function */
} HieraFunctionRecord;

typedef struct HieraCountedRecord {
    uint32_t bytes, call;
    const void *function; /* address of the function; NULL: several functions */
    uint64_t count, ticks;
    uint64_t now; /* time in ticks: all these calls ended before it */
} HieraCountedRecord;

/* Record of a REGION or a HIDDEN. */
typedef struct HieraRegionRecord {
    HieraRecord head;
    struct HieraName *name;
    uint32_t args_length;
    char args[]; /* arguments, with their NUL */
} HieraRegionRecord;

#define HIERA_REGION_BYTES(args_length) HIERA_ROUND_UP(offsetof(HieraRegionRecord, args) + (args_length) + 1)

/* Largest variable part of a record (array arguments, strings), which is added after the call has returned. */
#define HIERA_TAIL_ROOM (48u << 10)
/* The same for a call that has one request and no other list. */
#define HIERA_TAIL_OF_ONE 128u

/* Open regions and functions for which there was no memory: only their numbers are known. As long as there is one,
 * regions that begin inside it get no entry either, so that each end finds its own begin (open_regions.c). */
typedef struct HieraUnkept {
    uint32_t n; /* number of all kinds together */
    uint32_t plain, scopes, functions;
    uint32_t plain_before; /* number of plain regions before the first scope or function, */
    uintptr_t floor;       /* stack address of the first scope or function */
} HieraUnkept;

typedef struct HieraThread {
    char *next;       /* first free byte of the buffer; all records below are complete, except for an open operation */
    char *limit;      /* end of the free space */
    uintptr_t inside; /* stack frame of the MPI call in progress, 0 if none: MPI calls inside it are not recorded */
    struct HieraOpen *open; /* stack of the open regions, outermost first (open_regions.h) */
    uint32_t n_open, room_open;
    uint32_t n_told; /* number of open regions with a record. The rest are calls of functions that may be too short for
                        one */
    char *end; /* real end of the free space. While there are open calls without a record, `limit` is lower, so that
                * they get their records first */
    HieraUnkept unkept;
    uint32_t inside_regions;  /* number of regions begun inside an MPI call, which are not recorded */
    struct HieraNames *names; /* names of the thread's regions (region_names.h) */
    uint64_t memo_handle[2];  /* handles of the communicator and the datatype that were looked up last, */
    uint32_t memo_id[2];      /* numbers of the communicator and the datatype in `memo_handle` */
    uint32_t memo_epoch;
    bool is_writing; /* the thread is writing its buffer: calls made meanwhile, even of the program's malloc, are not
                        recorded */
    bool has_blocks; /* some record has a list in a block outside the buffer */
    bool is_merging; /* records of callbacks are being inserted: functions that are open have begun after these records
                      */
    bool is_wide;    /* more of the buffer than usual is in use, for a call that may have long lists */

    char *base;    /* begin of the thread's buffer */
    char *written; /* end of the records that another thread has written */
    size_t bytes;
    uint64_t lost_inside;             /* number of regions begun inside an MPI call */
    uint64_t lost_in_callbacks;       /* number of calls in callbacks of MPI calls */
    uint64_t lost_open;               /* number of regions for which there was no memory */
    uint64_t lost_unwritten;          /* number of operations that could not be written for lack of memory */
    struct HieraBalance *balance;     /* begins and ends that do not match; NULL if none (unbalanced.h) */
    uintptr_t stack_begin, stack_end; /* bounds of the thread's stack; stack_end is 0 until they are looked up */
    unsigned number;                  /* number of the thread; 0 for the main thread */
    struct HieraTraceFile *stream;
    struct HieraMeasuring *measuring; /* measurements for assertions (measured.h); NULL: none yet */
    struct HieraCounting *counting;   /* counters at the begin of each open region (region_counters.h) */
    struct HieraExpecting *expecting; /* the thread's meter of rules (expect/); NULL: it has none */
    struct HieraProbed *probed;       /* state of the probe script for this thread (probing/); NULL: none yet */
    struct HieraSampling *sampling;   /* samples of the thread's position (sampling/); NULL: no sampling */
    struct HieraProfile *profile;     /* the sums of its operations (profile/); NULL: none yet */
    struct HieraBegins *begins;       /* begins of the open regions (latest/); NULL: none */
    struct HieraTraceFile *later;     /* file that starts later (latest/, HIERA_MODE=window); NULL: none */
    struct HieraThread *next_thread;
    struct HieraThread
        *callbacks; /* state for the records of calls in callbacks of the MPI call in progress (mpi/call/callbacks.h) */
    struct HieraThread *around; /* the thread's own state, if this one is such a state for callbacks; with it */
    uint64_t around_start;      /* begin of the MPI call around the callbacks; 0: there are no records, */
    uint64_t n_calls;           /* for a state for callbacks: number of calls recorded in it */
    char *walked;               /* record of the buffer from which the search for the last record starts; or NULL */
} HieraThread;

extern __thread HieraThread *hiera_thread __attribute__((tls_model("initial-exec")));

/* Open regions of this thread that began while there was no memory for its state. */
extern __thread HieraUnkept hiera_unattached __attribute__((tls_model("initial-exec")));

/* Number of reasons not to record: disabled, paused, forked child, closed, fatal signal. 0: recording is on. */
extern int hiera_idle HIERA_INTERNAL;

/* Slow path of hiera_is_idle(): if another thread handles a fatal signal, wait until the process has ended or goes on,
 * because a call made meanwhile would be lost (fatal_signals.c). Then return hiera_idle. Keeps errno. */
int hiera_idle_at_last(void);

/* Read hiera_idle, which other threads may change at any time. */
static inline int hiera_may_be_idle(void)
{
    return __atomic_load_n(&hiera_idle, __ATOMIC_RELAXED);
}

static inline int hiera_is_idle(void)
{
    return HIERA_UNLIKELY(hiera_may_be_idle()) ? hiera_idle_at_last() : 0;
}

/* Make the state of this thread, when it records for the first time. NULL if recording has ended. */
HieraThread *hiera_thread_attach(void);

/* The lists of a call are in the buffer now: go back to the usual part of the buffer. */
void hiera_thread_narrow(HieraThread *thread);

/* Records of callbacks will follow the last record: make the next event call hiera_flush(). */
void hiera_thread_hold(HieraThread *thread);

/* The call in progress was left by longjmp or an exception: end it now (mpi/call/callbacks.c). */
void hiera_call_left(HieraThread *thread);
/* The same, if this thread has left its call in progress. For moments that are no events of a trace: the end of the
 * process, a signal. @param stack  lowest address of the stack in use */
void hiera_call_check_left(uintptr_t stack);

/* Write the full buffer and make room for `bytes`. Returns false if that fails: then the record is counted as lost.
 * Keeps errno. */
bool hiera_flush(HieraThread *thread, size_t bytes);

static inline HieraThread *hiera_thread_current(void)
{
    HieraThread *thread = hiera_thread;
    return HIERA_LIKELY(thread != NULL) ? thread : hiera_thread_attach();
}

/* Make sure that the buffer has room for `bytes`, without taking them. */
static inline bool hiera_record_room(HieraThread *thread, size_t bytes)
{
    return HIERA_LIKELY((size_t)(thread->limit - thread->next) >= bytes) || hiera_flush(thread, bytes);
}

/* Take the bytes for which hiera_record_room() made room: the record is part of the trace now. */
static inline void hiera_record_take(HieraThread *thread, size_t bytes)
{
    __atomic_store_n(&thread->next, thread->next + bytes, __ATOMIC_RELEASE);
}

#define HIERA_ROUND_UP(bytes) (((bytes) + 7u) & ~(size_t)7u)
