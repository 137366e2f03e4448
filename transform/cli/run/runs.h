/* Several runs of the analysed program, compared by one measure. */
#pragma once

#include "cli/options/options.h"

/* Compare the runs that the options name, and write the table. @return the exit status, like run() */
int compare_runs(const Options *options);
