/* Alternate signal stack of a thread: needed to handle an overflow of its stack. */
#pragma once

#include <stddef.h>

/* Make the memory the alternate stack of this thread, unless it has one; remove it again. */
void hiera_signal_stack_give(void *memory, size_t bytes);
void hiera_signal_stack_take(const void *memory);
