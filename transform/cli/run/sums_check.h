/* Checks for profiles: traces that have sums over several calls where a command needs single operations. */
#pragma once

#include "cli/options/options.h"

/* Refuse commands that make no sense for these processors (HieraProcessor). Add a finding for answers about a part of
 * the run. */
gboolean sums_check(const Options *options, const GArray *processors, HieraFindings *findings, GError **error);

/* Whether profiles among these processors have measured how long calls waited. */
gboolean sums_check_waits(const GArray *processors);

/* Same as sums_check(), for a measure of several runs and the processors of one of them. */
gboolean sums_check_run(const Options *options, const HieraMeasure *measure, const GArray *processors,
                        HieraFindings *findings, GError **error);
