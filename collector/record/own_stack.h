/* Bounds of a thread's own stack. Whether longjmp has left a stack frame can be known only for frames on this stack. */
#pragma once

#include "record.h"

/* Whether an address is on the thread's own stack; false if the stack's bounds, looked up once, cannot be found. */
bool hiera_stack_has(HieraThread *thread, uintptr_t at);

/* True if longjmp has left the MPI call in progress, so that a call from `frame` is not inside it. False on another
 * stack than the thread's own (of a signal handler, say), where this cannot be known. */
bool hiera_open_has_left_call(HieraThread *thread, uintptr_t frame);
