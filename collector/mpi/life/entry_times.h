/* HIERA_SYNC=1, in profile mode: how long a rank waits in a blocking barrier or N x N collective.
 *
 * A profile has no single calls, so calls of different ranks cannot be compared afterwards. Instead, the members of the
 * communicator exchange their entry and exit times after the call. This is the only case in which calls other
 * than MPI_Init and MPI_Finalize communicate, so all ranks must have the same setting. */
#pragma once

#include "mpi/call/call_record.h"

#include <mpi.h>

/* Whether waiting is to be measured in this process: HIERA_SYNC=1, and a profile that can store the results. */
bool hiera_entry_times_wanted(void);

/* Begin to exchange entry times. Called in MPI_Init by all ranks of MPI_COMM_WORLD. */
void hiera_entry_times_begin(void);

/* End all exchanges of entry times. Called in MPI_Finalize by all ranks of MPI_COMM_WORLD. */
void hiera_entry_times_end(void);

/* Exchange entry and exit times of a call, from `entered` to `left` in ticks, that returned `result`. The waiting times
 * go into the tail of the record, which must be the last one of its buffer. `record` NULL: the call is not recorded,
 * but other members need its times. Returns in bounded time, even if other members never come. */
void hiera_entry_times_exchange(HieraThread *thread, HieraMpiRecord *record, MPI_Comm comm, int result,
                                uint64_t entered, uint64_t left);
