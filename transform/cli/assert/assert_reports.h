/* --reports: results of rules (HIERA_ASSERT) that were checked inside the running program. */
#pragma once

#include "cli/options/options.h"

/* Read the reports of all ranks, and write one table, as --assert does. @return  the exit status */
int assert_reports_run(const Options *options);
