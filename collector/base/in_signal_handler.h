/* Detects whether the calling thread runs in a signal handler. */
#pragma once

#include <stdbool.h>

/* Returns false only if no handler runs for sure; true if the stack cannot be read, or if the signal frames of this
 * processor are unknown. Makes system calls; safe in a handler.
 *
 * @param from  an address on this thread's stack: handlers called before the stack grew past it are found */
bool hiera_handler_may_run(const void *from);
