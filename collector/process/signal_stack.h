/* The alternate signal stack of a thread, on which handlers run when the thread's own stack overflows. */
#pragma once

#include <stddef.h>

/* Make `memory` the alternate signal stack of this thread, unless the thread has one; and stop using it. */
void hiera_signal_stack_give(void *memory, size_t bytes);
void hiera_signal_stack_take(const void *memory);
