/* --counters: a measure whose table also shows counters of the traces. */
#pragma once

#include "hiera_measure.h"

/* A copy of the chosen measure, to whose table --counters adds a column for each counter. */
typedef struct MeasureCounters MeasureCounters;

/* Replace the chosen measure by a copy that shows counters.
 * @param names  names of counters, separated by commas; NULL: nothing changes
 * @return  to be freed after the measures; NULL without names, or with an error */
MeasureCounters *measure_counters_choose(HieraScope *scope, GPtrArray *measures, const char *names, GError **error);
void measure_counters_free(MeasureCounters *counters);
