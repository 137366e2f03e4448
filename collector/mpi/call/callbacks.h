/* Calls that a program makes while an MPI call is in progress: in callbacks that MPI calls (attributes, error handlers,
 * generalized requests, user-defined operations), and after it has left a call by longjmp or an exception. Both are
 * rare, and cost other calls nothing.
 *
 * A call in a callback is recorded in a state of its own (HieraThread.callbacks), since the record of the outer call is
 * open and gets its tail only when it returns. When the thread records the next event, the records of the callbacks
 * are put behind that of the outer call, which has the flag HIERA_MPI_HOLDS (document/callback_records.h). */
#pragma once

#include "record/record.h"

/* An MPI call comes from `frame` while thread->inside is set. Returns the state in which it is recorded: the thread
 * itself if the earlier call was left; the state for callbacks; NULL if MPI itself makes the call. */
HieraThread *hiera_mpi_enter_inside(HieraThread *thread, const void *frame) __attribute__((cold));

/* Return the MPI call that is open in this state; NULL: there is none. It is the last record of the buffer. */
struct HieraMpiRecord *hiera_callback_around(HieraThread *thread);
/* Return name and place of the MPI call around a state for callbacks; NULL: not known. For HieraLevelOps. */
const char *hiera_callback_name_around(HieraThread *callbacks, const void **site);

/* A callback may use the scratch memory that the call in progress is using: from now on each call checks whose it is
 * (handle/request_scratch.c). */
void hiera_scratch_hold(void);
/* A call was left by longjmp: its list of requests is not used again. */
void hiera_scratch_left(void);

/* The function belongs to a PMPI tool behind Hiera: calls from its library are no calls of the program. */
void hiera_callbacks_know_tool(const void *function);

/* Return how many calls in callbacks are in progress in this thread, each in a callback of the one before. */
unsigned hiera_callback_depth(void);
