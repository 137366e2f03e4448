/* Calls that need additional steps in their wrappers: a probe script observes them (probe/), their waiting is measured
 * (life/entry_times.h), or they may not be meant for MPI (life/next_functions.h). */
#pragma once

#include "mpi_level.h"

/* Attributes of functions in wrappers that take the additional steps named above, which few calls need. */
#define HIERA_OBSERVED __attribute__((cold, noinline))

static inline bool hiera_mpi_is_observed(unsigned call)
{
    return __atomic_load_n(&hiera_mpi_filtered[call], __ATOMIC_RELAXED) & HIERA_FILTERED_ASIDE;
}

/* Like hiera_mpi_enter(), for a call with additional steps, such as events of probe scripts. */
static inline HieraThread *hiera_observed_enter(unsigned call, const void *frame)
{
    if (hiera_mpi_check_observed(call))
        return NULL;
    HieraThread *thread = hiera_thread_current();
    return thread && thread->inside ? hiera_mpi_enter_inside(thread, frame) : thread;
}

/* Report the begin of a call to the scripts. Its arguments are in the record, and its size if it sends a message.
 * Returns the record's new address; there is room for HIERA_FLUSH_BYTES behind it. */
void *hiera_observed_begin(HieraThread *thread, HieraMpiRecord *record);

/* Like hiera_mpi_finish(), for a call with additional steps, such as events of probe scripts. */
void hiera_observed_finish(HieraThread *thread, HieraMpiRecord *record, uint64_t finish);
