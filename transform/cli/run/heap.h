/* Tunes malloc for the large arrays of the analysis. */
#pragma once

#include "cli/options/options.h"

/* Tune malloc for what the options ask for. Call it before other threads exist. */
void heap_tune(const Options *options);
/* Give all freed memory back to the system; called before traces are read again. */
void heap_release(void);
