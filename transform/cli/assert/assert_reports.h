/* --reports: results of the rules of HIERA_ASSERT, which were checked in the running program. */
#pragma once

#include "cli/options/options.h"

/* Read the reports of all ranks, write the table of --assert. @return the exit status */
int assert_reports_run(const Options *options);
