/* Completes traces from kept memory that killed ranks have left on this computer (memory/kept_files.h). */
#pragma once

#include "folder_watch.h"

#include <stdbool.h>

/* Called before the command is made: from now on kept memory of its ranks is identified by a number of this run
 * (environment). */
void hiera_left_begin(void);

/* Print which traces of earlier jobs can be completed, and remove kept memory whose trace is gone. Does not mention the
 * folder whose traces the next job replaces. */
void hiera_left_say(void (*say)(const char *format, ...));

/* Called when the command has ended with this status: complete the traces of its killed ranks, and print which cannot
 * be completed here. */
void hiera_left_complete(int status, bool is_quiet);

/* Called when the command has ended: return what jobs have made in the folder of the traces since hiera_left_begin().
 */
HieraMade hiera_left_trace(void);

/* Whether the folder of the traces had a trace before hiera_left_begin(). */
bool hiera_left_has_earlier(void);

/* Return the folder of the traces; the path of hiera-recover. */
const char *hiera_left_folder(void);
char *hiera_left_recover_program(void);
