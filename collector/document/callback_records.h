/* The records of calls that callbacks of MPI calls have made (mpi/call/callbacks.h). They wait in a state of their own
 * until the thread records its next event, or ends. */
#ifndef HIERA_CALLBACK_RECORDS_H
#define HIERA_CALLBACK_RECORDS_H

#include "record/record.h"

/* Are there some for this thread? */
static inline bool hiera_callbacks_wait(const HieraThread *thread)
{
    return HIERA_UNLIKELY(thread->callbacks != NULL) && thread->callbacks->around_start != 0;
}

/* Put them behind the record of their call, which is the last one: as a filtered region, whose begin the writer takes
 * for the begin of what is in the call. Not with the lock held. */
void hiera_callbacks_merge(HieraThread *thread);

/* The same where the process may end at once: only if there is room, and without a flush. With the lock held. */
void hiera_callbacks_settle(HieraThread *thread);

/* The number of calls in callbacks that are lost if the process ends now. */
uint64_t hiera_callbacks_lost(const HieraThread *thread);

/* hiera_flush() of such a state: get more memory. */
bool hiera_callbacks_grow(HieraThread *thread, size_t bytes);

/* Free such a state, with those inside it; NULL is allowed. */
void hiera_callbacks_free(HieraThread *callbacks);

#endif
