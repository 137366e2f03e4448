/* The bounds of a thread's own stack: only for addresses on it can it be known whether longjmp has left a frame. */
#pragma once

#include "record.h"

/* Is the address on the thread's own stack? False if its bounds cannot be found. They are looked up once. */
bool hiera_stack_has(HieraThread *thread, uintptr_t at);

/* True if longjmp has left the MPI call in progress, so that a call from `frame` is not inside it. False on another
 * stack than the thread's own (of a signal handler, say), where this cannot be known. */
bool hiera_open_has_left_call(HieraThread *thread, uintptr_t frame);
