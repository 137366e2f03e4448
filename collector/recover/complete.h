/* Completes one trace. */
#pragma once

#include "memory/kept_files.h"

/* Complete a trace in a process of its own, with the settings of the killed one. @return whether it is complete; a line
 * on the result, or on the reason of a failure, is printed */
bool hiera_complete(const HieraKeptFound *found);

/* Complete it; called in that process. @return its exit status */
int hiera_complete_here(const char *path);
