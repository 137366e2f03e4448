/* The file that says what became of the rules in this process (assertions/outcome_text.h). */
#ifndef HIERA_REPORT_FILE_H
#define HIERA_REPORT_FILE_H

#include "assertions/meter/outcome_text.h"

/* Write the file; one of the two has rules. Returns 0 or the errno. Called with the lock held; safe in a signal
 * handler.
 *
 * @param path  a file that exists is replaced at once, when all is written */
int hiera_report_write(const char *path, const HieraJudged *file, const HieraJudged *source, const HieraJudgedRun *run);

#endif
