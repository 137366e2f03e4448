/* Several runs of a program, compared by one measure. */
#pragma once

#include "cli/options/options.h"

/* Compare the runs that the options name. @return the exit status, as that of run() */
int compare_runs(const Options *options);
