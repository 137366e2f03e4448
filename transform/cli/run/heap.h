/* How the allocator treats the large arrays of a command. */
#pragma once

#include "cli/options/options.h"

/* Set it for a command, before there are other threads. */
void heap_tune(const Options *options);
/* Give all memory that has been freed back: what follows begins anew. */
void heap_release(void);
