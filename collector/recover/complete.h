/* Completes the trace of one killed process. */
#pragma once

#include "memory/kept_files.h"

/* Complete a trace in a process of its own, with the settings of the killed one. @return whether it is complete; a line
 * on the result, or on the reason of a failure, is printed */
bool hiera_complete(const HieraKeptFound *found);

/* Complete the trace of the kept memory at `path`, in the process made for it. @return exit status of the process */
int hiera_complete_here(const char *path);
