/* Options that only some measures have: --bins, --fail-above, --scaling, --thresholds. */
#pragma once

#include "hiera_measure.h"

/* Their values as text; NULL: not given. */
typedef struct {
    const char *scaling, *thresholds, *bins, *fail_above;
} MeasureWords;

/* Check them, and put them into the scope, which keeps the text of the thresholds.
 * @param measures  HieraMeasure, the chosen ones */
gboolean measure_options_set(HieraScope *scope, const GPtrArray *measures, const MeasureWords *words, GError **error);
