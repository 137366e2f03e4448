/* The alternate stack of a thread, for a handler of a stack that has overflown. */
#ifndef HIERA_SIGNAL_STACK_H
#define HIERA_SIGNAL_STACK_H

#include <stddef.h>

/* The memory is the alternate stack of this thread, if it has none; and is it no longer. */
void hiera_signal_stack_give(void *memory, size_t bytes);
void hiera_signal_stack_take(const void *memory);

#endif
