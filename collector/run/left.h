/* What ranks that were killed have left on this computer (memory/kept_files.h). */
#ifndef HIERA_RUN_LEFT_H
#define HIERA_RUN_LEFT_H

#include "folder_watch.h"

#include <stdbool.h>

/* Before the command is made: from now on what its ranks leave is known by a number of this run (environment). */
void hiera_left_begin(void);

/* Say which traces of earlier jobs can be completed, and remove what is of no use: its trace is gone. Not about the
 * folder whose traces the next job replaces. */
void hiera_left_say(void (*say)(const char *format, ...));

/* When the command has ended with this status: complete the traces of its ranks that were killed, and say which cannot
 * be completed here. */
void hiera_left_complete(int status, bool is_quiet);

/* When the command has ended: what have jobs made in the folder of the traces since hiera_left_begin()? */
HieraMade hiera_left_trace(void);

/* Was there a trace in that folder before? */
bool hiera_left_has_earlier(void);

#endif
