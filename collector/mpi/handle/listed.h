/* Requests of a call in progress: whoever writes its record before it returns says what it waits for.
 *
 * They stand in the scratch of the thread, which stays where it is, and behind the record stands where: as a tail that
 * is no part of it, in the place of what the call adds once it has returned. So a call pays the same for one request
 * and for a thousand; and one that was left by longjmp loses them to the record that comes next, of which the first
 * word is even. Another thread may read them at any time. */
#ifndef HIERA_LISTED_H
#define HIERA_LISTED_H

#include "mpi/call/call_record.h"
#include "pending.h"

static inline HieraTail *hiera_listed_place(const HieraMpiRecord *record)
{
    return (HieraTail *)(uintptr_t)((const char *)record + record->head.bytes);
}

/* The record is not in the trace yet. `pending` is of the scratch. */
static inline void hiera_listed_begin(HieraMpiRecord *record, const HieraPending *pending, int64_t n)
{
    *hiera_listed_place(record) = (HieraTail){HIERA_TAIL_LISTED, (uint32_t)n, (intptr_t)pending};
    record->flags |= HIERA_MPI_LISTED;
}

/* The call has returned: before anything is added to its record, or its requests are settled. */
static inline void hiera_listed_end(HieraMpiRecord *record)
{
    __atomic_store_n(&record->flags, record->flags & ~HIERA_MPI_LISTED, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

#endif
