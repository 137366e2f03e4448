/* Several runs of a program, compared by one measure. */
#ifndef HIERA_CLI_RUNS_H
#define HIERA_CLI_RUNS_H

#include "cli/options/options.h"

/* Compare the runs that the options name. @return the exit status, as that of run() */
int compare_runs(const Options *options);

#endif
