/* Rules that need other runs: --baseline compares with an earlier run, --estimate finds limits from several runs. */
#pragma once

#include "cli/options/options.h"

/* Compute the baseline() values of the rules from the run that --baseline names: the mean over the evaluations of their
 * rules. */
gboolean assert_runs_compare(const Options *options, GError **error);
/* Write a value for each `${NAME}` without one, so that the rules hold in all runs. @return  the exit status */
int assert_runs_estimate(const Options *options);
