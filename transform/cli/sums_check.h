/* What needs single operations, and traces that have sums over several calls instead: profiles. */
#ifndef HIERA_SUMS_CHECK_H
#define HIERA_SUMS_CHECK_H

#include "options.h"

/* Refuse what makes no sense for these processors (HieraProcessor). A finding says what is about a part of the run. */
gboolean sums_check(const Options *options, const GArray *processors, HieraFindings *findings, GError **error);

/* True if a measure counts what stands for several calls. */
gboolean sums_check_understands(const HieraMeasure *measure);

#endif
