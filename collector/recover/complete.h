/* Completes the trace of one killed process, or a copy of the trace of one that still runs. */
#pragma once

#include "memory/kept_files.h"

/* Complete a trace in a process of its own, with the settings of the other one. @return whether it is complete; a line
 * on the result, or on the reason of a failure, is printed. @param copies  folder for a copy of the trace, which is
 * completed; HIERA_LOOK (process/recover.h) and a number of seconds: only tell what the process does, which lives, and
 * its longest call in that time; NULL: the trace itself */
bool hiera_complete(const HieraKeptFound *found, const char *copies);

/* Complete the trace of the kept memory at `path`, in the process made for it. @param how  "--file", "--copy": of a
 * process that lives, "--far": of one that may live, on another computer. @return exit status of the process */
int hiera_complete_here(const char *how, const char *path, const char *copies);
