/* The frame of an MPI call: what each wrapper does before it calls PMPI, and after. */
#ifndef HIERA_MPI_LEVEL_H
#define HIERA_MPI_LEVEL_H

#include "call_record.h"

#include <mpi.h>

/* For each call: does it leave nothing, not even a sum (HIERA_LEVELS, the group env)? Has this process not joined? */
enum { HIERA_FILTERED_ALWAYS = 1, HIERA_FILTERED_EARLY = 2 };
extern uint8_t hiera_mpi_filtered[];

/* The rare way of the next one (late_join.c): where a call is marked otherwise than for always, or nothing is recorded.
 */
bool hiera_mpi_check_slow(unsigned call);

/* Is this call to be recorded? Its thread if so, else NULL. `frame` is the wrapper's stack frame: a call below one that
 * is in progress was made by MPI itself; one above it means that the other was left by longjmp or an exception. */
static inline HieraThread *hiera_mpi_enter(unsigned call, const void *frame)
{
    uint8_t filtered = hiera_mpi_filtered[call];
    if (HIERA_UNLIKELY(filtered | hiera_may_be_idle()) &&
        (filtered == HIERA_FILTERED_ALWAYS || hiera_mpi_check_slow(call)))
        return NULL;
    HieraThread *thread = hiera_thread_current();
    if (HIERA_UNLIKELY(!thread || (thread->inside && (uintptr_t)frame < thread->inside)))
        return NULL;
    return thread;
}

/* A Fortran entry point of ours has been called and has gone on to MPI: where MPI's Fortran calls the C function of the
 * same name, all is noted already. */
typedef struct HieraForwarded {
    unsigned call;
    uintptr_t frame; /* 0: none */
} HieraForwarded;

extern __thread HieraForwarded hiera_forwarded __attribute__((tls_model("initial-exec")));

static inline bool hiera_mpi_is_forwarded(unsigned call, const void *frame)
{
    bool same = hiera_forwarded.frame > (uintptr_t)frame && hiera_forwarded.call == call;
    if (same)
        hiera_forwarded.frame = 0; /* only the first: a callback may make the same call itself */
    return same;
}

/* Open the record. NULL if there is no room for it. `room` is what it may need beyond its fixed part. */
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

/* The arguments that are known are stored: from now on the call is in the trace; it starts. */
static inline void hiera_mpi_start(HieraThread *thread, HieraMpiRecord *record)
{
    record->head.start = hiera_clock_ticks();
    hiera_record_take(thread, record->head.bytes);
}

/* The call has returned at `finish` and all is stored. */
static inline void hiera_mpi_finish(HieraThread *thread, HieraMpiRecord *record, uint64_t finish)
{
    __atomic_store_n(&record->head.finish, finish, __ATOMIC_RELEASE);
    thread->inside = 0;
}

#endif
