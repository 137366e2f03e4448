/* Several runs of a program, compared by one measure. */
#pragma once

#include "cli/options/options.h"

/* Do the work that the options ask for. @return the exit status, as that of run() */
int compare_runs(const Options *options);
