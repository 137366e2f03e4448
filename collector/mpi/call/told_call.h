/* Calls that a probe script asks about (probe/), or whose waiting is measured (life/entry_times.h), or that may not be
 * MPI's (life/next_functions.h): what their wrappers do besides. */
#ifndef HIERA_TOLD_CALL_H
#define HIERA_TOLD_CALL_H

#include "mpi_level.h"

/* Of the functions that take the steps of such a call. */
#define HIERA_TOLD __attribute__((cold, noinline))

static inline bool hiera_mpi_is_told(unsigned call)
{
    return __atomic_load_n(&hiera_mpi_filtered[call], __ATOMIC_RELAXED) & HIERA_FILTERED_ASIDE;
}

/* hiera_mpi_enter() of a call that is observed. */
static inline HieraThread *hiera_told_enter(unsigned call, const void *frame)
{
    if (hiera_mpi_check_told(call))
        return NULL;
    HieraThread *thread = hiera_thread_current();
    return thread && thread->inside ? hiera_mpi_enter_inside(thread, frame) : thread;
}

/* The call begins: its arguments are in the record. If it sends a message, the record has its size. Returns where the
 * record is now, for which there is room for HIERA_FLUSH_BYTES. */
void *hiera_told_begin(HieraThread *thread, HieraMpiRecord *record);

/* hiera_mpi_finish() of a call that is observed. */
void hiera_told_finish(HieraThread *thread, HieraMpiRecord *record, uint64_t finish);

#endif
