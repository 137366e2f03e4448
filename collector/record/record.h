/* The call path: how an operation becomes a record in the buffer of its thread.
 *
 * One idea: a record is written where it will be read, once, in the order in which the trace has it. A call costs one
 * look at thread-local state, two readings of the clock and the stores of its arguments. No lock, no allocation, no
 * system call, no formatting: those happen in hiera_flush() when the buffer is full, outside every operation, and then
 * the same (small, warm) memory is used again.
 *
 * A region is two records, its begin and its end, so that the buffer is a linear image of the tree; the begin gets its
 * finish time too if it is still in the buffer by then. Another thread may read what lies below `next` at any time. */
#ifndef HIERA_RECORD_H
#define HIERA_RECORD_H

#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HIERA_LIKELY(x)   __builtin_expect(!!(x), 1)
#define HIERA_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* What a record is, if it is not a call of a level: `HieraRecord.call` below HIERA_RECORD_CALLS. */
enum {
    HIERA_RECORD_END,      /* closes the innermost open region */
    HIERA_RECORD_REGION,   /* opens a region */
    HIERA_RECORD_FUNCTION, /* opens a call of a function */
    HIERA_RECORD_COUNTED,  /* calls of a function within the innermost open region, that were too short */
    HIERA_RECORD_HIDDEN,   /* opens a region that is filtered or paused: its children belong to its parent */
    HIERA_RECORD_FLUSH,    /* time taken by the collector */
    HIERA_RECORD_CALLS     /* first call of the MPI level */
};

typedef struct HieraRecord {
    uint32_t bytes; /* whole record, a multiple of 8 */
    uint32_t call;
    uint64_t start;   /* ticks; of an END: when it ended */
    uint64_t finish;  /* ticks, 0 while the operation is open. Absent in an END */
    const void *site; /* return address. Absent in an END and a FLUSH */
} HieraRecord;

enum { HIERA_END_BYTES = 16, HIERA_FLUSH_BYTES = 24 };

/* FUNCTION, and HIDDEN for one that is not recorded. */
typedef struct HieraFunctionRecord {
    HieraRecord head;
    const void *function; /* its address */
} HieraFunctionRecord;

typedef struct HieraCountedRecord {
    uint32_t bytes, call;
    const void *function; /* NULL: of several */
    uint64_t count, ticks;
    uint64_t now; /* ticks: they were all before */
} HieraCountedRecord;

/* REGION, HIDDEN: followed by its arguments and their NUL. */
typedef struct HieraRegionRecord {
    HieraRecord head;
    struct HieraName *name;
    uint32_t args_length;
} HieraRegionRecord;

/* Room that a record may add to its fixed part once the call has returned (array arguments, strings). */
#define HIERA_TAIL_ROOM (48u << 10)

/* Regions and functions that are open but could not be kept, for want of memory: their number is all that is known.
 * Once there is one, those that begin in it are not kept either, so that each end finds its own begin
 * (open_regions.c). */
typedef struct HieraUnkept {
    uint32_t n; /* of all kinds */
    uint32_t plain, scopes, functions;
    uint32_t plain_before; /* plain ones that were there before the first of the others, */
    uintptr_t floor;       /* which lies here on the stack */
} HieraUnkept;

typedef struct HieraThread {
    char *next;             /* free space of the buffer; all below is complete but for an operation still open */
    char *limit;            /* its end */
    uintptr_t inside;       /* stack frame of the MPI call in progress, 0 outside: MPI called by MPI is not recorded */
    struct HieraOpen *open; /* the open regions, outermost first (open_regions.h) */
    uint32_t n_open, room_open;
    uint32_t n_told; /* of these: have a record. The others are calls of functions that may be too short for one */
    char *end;       /* `limit`, but while there are such: then no room is left, so that they get theirs first */
    HieraUnkept unkept;
    uint32_t inside_regions;  /* regions begun inside an MPI call: not recorded */
    struct HieraNames *names; /* what its regions are called (region_names.h) */
    uint64_t memo_handle[2];  /* the last communicator and datatype that were looked up, */
    uint32_t memo_id[2];      /* and what they are known as */
    uint32_t memo_epoch;
    bool is_writing; /* its buffer: what runs meanwhile, be it the program's own malloc, is not recorded */
    bool has_blocks; /* a list of some record stands in a block of its own */

    char *base;    /* the buffer */
    char *written; /* how far another thread has written it */
    size_t bytes;
    uint64_t lost_inside;             /* regions begun inside an MPI call */
    uint64_t lost_open;               /* regions for which there was no memory */
    uint64_t lost_unwritten;          /* operations that there was no memory to write */
    struct HieraBalance *balance;     /* begins and ends that do not fit, NULL without any (unbalanced.h) */
    uintptr_t stack_begin, stack_end; /* its stack, if that was asked for: the end is 0 before */
    unsigned number;                  /* 0 for the main thread */
    struct HieraTraceFile *stream;
    struct HieraThread *next_thread;
} HieraThread;

extern __thread HieraThread *hiera_thread __attribute__((tls_model("initial-exec")));

/* What began in this thread while there was no memory for its state. */
extern __thread HieraUnkept hiera_unattached __attribute__((tls_model("initial-exec")));

/* Reasons not to record (disabled, paused, in a forked child, closed, a fatal signal): recording goes on while it is 0.
 */
extern int hiera_idle;

/* The same, once another thread that has a fatal signal has written what is there: what is called meanwhile would be
 * lost (fatal_signals.c). Keeps errno. */
int hiera_idle_at_last(void);

/* Other threads change it at any time. */
static inline int hiera_may_be_idle(void)
{
    return __atomic_load_n(&hiera_idle, __ATOMIC_RELAXED);
}

static inline int hiera_is_idle(void)
{
    return HIERA_UNLIKELY(hiera_may_be_idle()) ? hiera_idle_at_last() : 0;
}

/* First use in a thread: make its state. NULL if recording is off for good. */
HieraThread *hiera_thread_attach(void);

/* The buffer is full: write it out and make room for `bytes`. False if that cannot be done (the record is counted as
 * lost). Keeps errno. */
bool hiera_flush(HieraThread *thread, size_t bytes);

static inline HieraThread *hiera_thread_current(void)
{
    HieraThread *thread = hiera_thread;
    return HIERA_LIKELY(thread != NULL) ? thread : hiera_thread_attach();
}

/* Make sure that `bytes` fit; does not take them. */
static inline bool hiera_record_room(HieraThread *thread, size_t bytes)
{
    return HIERA_LIKELY((size_t)(thread->limit - thread->next) >= bytes) || hiera_flush(thread, bytes);
}

/* Take what hiera_record_room() promised: from now on the record is part of the trace. */
static inline void hiera_record_take(HieraThread *thread, size_t bytes)
{
    __atomic_store_n(&thread->next, thread->next + bytes, __ATOMIC_RELEASE);
}

#define HIERA_ROUND_UP(bytes) (((bytes) + 7u) & ~(size_t)7u)

#endif
