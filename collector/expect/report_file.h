/* Writes the file with the outcomes of the rules in this process (assertions/meter/outcome_text.h). */
#pragma once

#include "assertions/meter/outcome_text.h"

/* Write the file; at least one of `file` and `source` has rules. Returns 0 or the errno. Called with the lock held;
 * safe in a signal handler.
 *
 * @param path  an existing file is replaced in one step, when all is written */
int hiera_report_write(const char *path, const HieraJudged *file, const HieraJudged *source, const HieraJudgedRun *run);
