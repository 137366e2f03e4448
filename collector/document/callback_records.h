/* The records of MPI calls that callbacks of MPI calls have made (mpi/call/callbacks.h). They are kept in a HieraThread
 * of their own until the thread records its next event, or ends. */
#pragma once

#include "record/record.h"

/* Whether the thread has records of MPI calls in callbacks that are not merged into its buffer yet. */
static inline bool hiera_callbacks_wait(const HieraThread *thread)
{
    return HIERA_UNLIKELY(thread->callbacks != NULL) && thread->callbacks->around_start != 0;
}

/* Append the records of callbacks to the last record, that of the call that ran the callbacks, as a filtered region:
 * the writer takes the begin of the region for the begin of the calls in it. Not with the lock held. */
void hiera_callbacks_merge(HieraThread *thread);

/* As hiera_callbacks_merge(), where the process may end at once: only if there is room, and without a flush. With the
 * lock held. */
void hiera_callbacks_settle(HieraThread *thread);

/* The number of the thread's MPI calls in callbacks that are lost if the process ends now. */
uint64_t hiera_callbacks_lost(const HieraThread *thread);

/* Enlarge the buffer of the HieraThread of callbacks, in place of hiera_flush(). Returns whether `bytes` fit. */
bool hiera_callbacks_grow(HieraThread *thread, size_t bytes);

/* Free the HieraThread of callbacks, and those of callbacks inside its calls; NULL is allowed. */
void hiera_callbacks_free(HieraThread *callbacks);
