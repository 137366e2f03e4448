/* HIERA_SYNC=1, in profile mode: how long a rank waits in a blocking barrier or N x N collective.
 *
 * A profile has no single calls, so nobody can compare those of different ranks afterwards. Instead, the members of the
 * communicator tell each other after the call when they have come and left. This is the one case in which calls other
 * than MPI_Init and MPI_Finalize communicate, so all ranks must agree on it. */
#ifndef HIERA_ENTRY_TIMES_H
#define HIERA_ENTRY_TIMES_H

#include "mpi/call/call_record.h"

#include <mpi.h>

/* Does this process have HIERA_SYNC=1, and sums in which it can keep what it learns? */
bool hiera_entry_times_wanted(void);

/* Begin. Called in MPI_Init by all ranks of MPI_COMM_WORLD. */
void hiera_entry_times_begin(void);

/* End. Called in MPI_Finalize by the same ranks. */
void hiera_entry_times_end(void);

/* A call that began at `entered` has ended at `left` with `result`, both in ticks. The result goes into the tail of the
 * record, which must be the last one of its buffer. `record`: NULL if the call is not recorded; the others need its
 * times nevertheless. Returns in bounded time, even if others never come. */
void hiera_entry_times_exchange(HieraThread *thread, HieraMpiRecord *record, MPI_Comm comm, int result,
                                uint64_t entered, uint64_t left);

#endif
