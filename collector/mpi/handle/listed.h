/* The requests of a call in progress. If the record is written before the call returns, the trace has the requests that
 * the call waits for.
 *
 * The requests are in the scratch memory of the thread (request_scratch.h), which never moves: a single one as it was
 * saved, several as handles. Behind the record comes a tail with their address. This tail is not part of the record:
 * it is overwritten by data that the call adds after it has returned. So the cost does not depend on the number of
 * requests. If a call is left by longjmp, the next record overwrites the tail; a reader notices this, because the first
 * word of a record is even. Other threads may read the list at any time. */
#pragma once

#include "mpi/call/call_record.h"

static inline HieraTail *hiera_listed_place(const HieraMpiRecord *record)
{
    return (HieraTail *)(uintptr_t)((const char *)record + record->head.bytes);
}

/* Make the list, before hiera_mpi_start(). `requests`: address in the scratch memory of one HieraPendingRequest, or of
 * several handles. */
static inline void hiera_listed_begin(HieraMpiRecord *record, const void *requests, int64_t n)
{
    *hiera_listed_place(record) = (HieraTail){HIERA_TAIL_LISTED, (uint32_t)n, (intptr_t)requests};
    record->flags |= HIERA_MPI_LISTED;
}

/* Whether the requests of the list are in memory. In a process that completes another one's trace they are there if
 * they were kept (requests.c). */
bool hiera_requests_are_there(const HieraTail *list);

/* Return the number of the i-th request of a call in progress; 0: the request has none (requests.c). */
uint32_t hiera_request_listed(const HieraTail *list, uint32_t i);

/* Remove a call's list of requests. Call this when MPI has returned, before the call's record or requests change. */
static inline void hiera_listed_end(HieraMpiRecord *record)
{
    __atomic_store_n(&record->flags, record->flags & ~HIERA_MPI_LISTED, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}
