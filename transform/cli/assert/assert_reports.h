/* --reports: results of the rules of HIERA_ASSERT, which were checked in the running program. */
#ifndef HIERA_CLI_ASSERT_REPORTS_H
#define HIERA_CLI_ASSERT_REPORTS_H

#include "cli/options/options.h"

/* Read the reports of all ranks, write the table of --assert. @return the exit status */
int assert_reports_run(const Options *options);

#endif
