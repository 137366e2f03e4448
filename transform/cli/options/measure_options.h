/* Options that only some measures have: --bins, --fail-above, --scaling, --thresholds. */
#pragma once

#include "hiera_measure.h"

/* Values of options that only some measures have, as the user wrote them; NULL: the option is not given. */
typedef struct {
    const char *scaling, *thresholds, *bins, *fail_above;
} MeasureWords;

/* Check the values, and store them in the scope, which keeps the text of the thresholds.
 * @param measures  HieraMeasure *, the chosen ones */
gboolean measure_options_set(HieraScope *scope, const GPtrArray *measures, const MeasureWords *words, GError **error);
