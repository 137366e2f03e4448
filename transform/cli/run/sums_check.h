/* Checks for profiles: refuses answers that need single operations where the traces have sums over several calls. */
#pragma once

#include "cli/options/options.h"

/* Refuse commands that make no sense for these processors (HieraProcessor). Add a finding for answers about a part of
 * the run. */
gboolean sums_check(const Options *options, const GArray *processors, HieraFindings *findings, GError **error);

/* Whether profiles among these processors have measured how long calls waited. */
gboolean sums_check_waits(const GArray *processors);

/* Like sums_check(), for a measure that compares runs. @param processors  of one of the runs */
gboolean sums_check_run(const Options *options, const HieraMeasure *measure, const GArray *processors,
                        HieraFindings *findings, GError **error);
