/* What the wrapper of each MPI function does before and after it calls the PMPI function. */
#pragma once

#include "call_record.h"
#include "callbacks.h"

#include <mpi.h>

/* Flags per MPI function. ALWAYS: the function is neither recorded nor counted (HIERA_LEVELS, the group env).
 * EARLY: this process has not joined its job yet. The others make calls take the steps in observed_call.h. OBSERVED: a
 * probe script observes the function. SYNC: its members exchange their entry times (life/entry_times.h). OTHER: a call
 * may be meant for another function than MPI's (life/next_functions.h). TIMED: loops are timed, or a search may do so.
 * CHECKED: the memory that calls use is recorded (handle/buffers.h).
 */
enum {
    HIERA_FILTERED_ALWAYS = 1,
    HIERA_FILTERED_EARLY = 2,
    HIERA_FILTERED_OBSERVED = 4,
    HIERA_FILTERED_SYNC = 8,
    HIERA_FILTERED_OTHER = 16,
    HIERA_FILTERED_TIMED = 32,
    HIERA_FILTERED_CHECKED = 64,
    /* Flags of functions with more steps (observed_call.h), as for scripts. */
    HIERA_FILTERED_ASIDE = HIERA_FILTERED_OBSERVED | HIERA_FILTERED_SYNC | HIERA_FILTERED_OTHER | HIERA_FILTERED_CHECKED
};
extern uint8_t hiera_mpi_filtered[] HIERA_INTERNAL;

/* Slow path of hiera_mpi_enter(): recording is off, the process has not joined, or the call is observed (late_join.c).
 * Returns whether to skip the call. */
bool hiera_mpi_check_slow(unsigned call);
/* Like hiera_mpi_check_slow(), for calls with additional steps, such as events of probe scripts (observed_call.h). */
bool hiera_mpi_check_observed(unsigned call);

/* Return the thread if the call is to be recorded, else NULL. `frame`: stack frame of the wrapper. If its address is
 * lower than that of a call in progress, MPI itself or a callback of the program makes this call. If it is higher, the
 * earlier call was left by longjmp or an exception. */
static inline HIERA_ALWAYS HieraThread *hiera_mpi_enter(unsigned call, const void *frame)
{
    uint8_t filtered = hiera_mpi_filtered[call];
    if (HIERA_UNLIKELY(filtered | hiera_may_be_idle()) &&
        (filtered == HIERA_FILTERED_ALWAYS || hiera_mpi_check_slow(call)))
        return NULL;
    HieraThread *thread = hiera_thread_current();
    if (HIERA_UNLIKELY(!thread || thread->inside))
        return thread ? hiera_mpi_enter_inside(thread, frame) : NULL;
    return thread;
}

/* The Fortran entry point of Hiera that has just called MPI's entry point. Some MPI libraries implement theirs by
 * calling the C function; that inner call must not be recorded. */
typedef struct HieraForwarded {
    unsigned call;
    uintptr_t frame; /* stack frame of Hiera's Fortran entry point; 0: none is in progress */
} HieraForwarded;

extern __thread HieraForwarded hiera_forwarded __attribute__((tls_model("initial-exec")));

static inline bool hiera_mpi_is_forwarded(unsigned call, const void *frame)
{
    bool same = hiera_forwarded.frame > (uintptr_t)frame && hiera_forwarded.call == call;
    if (same)
        hiera_forwarded.frame =
            0; /* the C call inside the entry point was seen; later calls of the same function come from callbacks */
    return same;
}

/* Begin a record; NULL: no room in the buffer. `room`: bytes that the record may need behind its fixed part. */
static inline void *hiera_mpi_begin(HieraThread *thread, unsigned call, size_t bytes, size_t room, const void *site,
                                    const void *frame)
{
    if (!hiera_record_room(thread, bytes + room)) {
        thread->lost_unwritten++;
        return NULL;
    }
    HieraMpiRecord *record = (HieraMpiRecord *)(void *)thread->next;
    thread->inside = (uintptr_t)frame;
    thread->inside_regions = 0;
    record->head.bytes = (uint32_t)bytes;
    record->head.call = HIERA_RECORD_CALLS + call;
    record->head.finish = 0;
    record->head.site = site;
    record->flags = 0;
    record->error = 0;
    record->sent = record->received = -1;
    return record;
}

/* Store the start time of the call; the record, which has the input arguments, becomes part of the trace. */
static inline HIERA_ALWAYS void hiera_mpi_start(HieraThread *thread, HieraMpiRecord *record)
{
    record->head.start = hiera_clock_ticks();
    hiera_record_take(thread, record->head.bytes);
}

/* End the record of a call that returned at time `finish`. The record has all its other values already. */
static inline HIERA_ALWAYS void hiera_mpi_finish(HieraThread *thread, HieraMpiRecord *record, uint64_t finish)
{
    __atomic_store_n(&record->head.finish, finish, __ATOMIC_RELEASE);
    thread->inside = 0;
}
