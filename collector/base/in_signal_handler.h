/* Is this thread in a signal handler? */
#ifndef HIERA_IN_SIGNAL_HANDLER_H
#define HIERA_IN_SIGNAL_HANDLER_H

#include <stdbool.h>

/* False only if it is sure: where nothing is known of this processor's signal frames, or the stack cannot be read, it
 * may be. `from` is on the stack: a handler that was called when the stack ended there or further up is found. Safe in
 * a handler; some system calls. */
bool hiera_handler_may_run(const void *from);

#endif
