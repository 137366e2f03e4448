/* What needs single operations, and traces that have sums over several calls instead: profiles. */
#pragma once

#include "cli/options/options.h"

/* Refuse what makes no sense for these processors (HieraProcessor). A finding says what is about a part of the run. */
gboolean sums_check(const Options *options, const GArray *processors, HieraFindings *findings, GError **error);

/* Whether profiles among these processors have measured how long calls waited. */
gboolean sums_check_waits(const GArray *processors);

/* sums_check() for a measure of several runs, and the processors of one of them. */
gboolean sums_check_run(const Options *options, const HieraMeasure *measure, const GArray *processors,
                        HieraFindings *findings, GError **error);
