/* Tunes the allocator for the large arrays of a command. */
#pragma once

#include "cli/options/options.h"

/* Tune the allocator for a command. Call it before other threads exist. */
void heap_tune(const Options *options);
/* Give all freed memory back to the system, before traces are read again. */
void heap_release(void);
