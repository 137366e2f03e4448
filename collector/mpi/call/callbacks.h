/* Calls that a program makes while an MPI call is in progress: in callbacks that MPI calls (attributes, error handlers,
 * generalized requests, user-defined operations), and after it has left a call by longjmp or an exception. Both are
 * rare, and cost other calls nothing.
 *
 * A call in a callback is recorded in a state of its own (HieraThread.callbacks), since the record of the outer call is
 * open and gets its tail only when it returns. When the thread records the next event, the records of the callbacks
 * are put behind that of the outer call, which has the flag HIERA_MPI_HOLDS (document/callback_records.h). */
#pragma once

#include "record/record.h"

/* Handle an MPI call from `frame` while thread->inside is set. Returns the state in which the call is recorded: the
 * thread itself if the earlier call was left; the state for callbacks; NULL: not at all, since MPI itself makes the
 * call. */
HieraThread *hiera_mpi_enter_inside(HieraThread *thread, const void *frame) __attribute__((cold));

/* Return the MPI call in progress of this thread, the last record in its buffer; NULL: there is none. */
struct HieraMpiRecord *hiera_callback_around(HieraThread *thread);
/* Return the operation of the MPI call whose callbacks this state records, and set its call site; NULL: unknown. */
const char *hiera_callback_name_around(HieraThread *callbacks, const void **site);

/* Protect the scratch memory of the call in progress, whose callback makes a call: from now on, each call checks
 * whether the scratch memory is its own (handle/request_scratch.c). */
void hiera_scratch_hold(void);
/* Call this when longjmp or an exception has left a call: the call's list of requests is not used again. */
void hiera_scratch_left(void);

/* `function` belongs to a PMPI tool that Hiera calls: MPI calls made by the tool's library are not the program's. */
void hiera_callbacks_know_tool(const void *function);

/* Return how many calls in callbacks are in progress in this thread, each one in a callback of the previous one. */
unsigned hiera_callback_depth(void);
