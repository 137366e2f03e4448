/* --counters: measures that tell about counters of the traces. */
#pragma once

#include "hiera_measure.h"

/* What stands for the chosen measures: they have further columns, so they are made for each run. */
typedef struct MeasureCounters MeasureCounters;

/* Let the chosen measures tell about counters.
 * @param names  of counters, separated by commas; NULL: nothing changes
 * @return  to be freed after the measures; NULL without names, or with an error */
MeasureCounters *measure_counters_choose(HieraScope *scope, GPtrArray *measures, const char *names, GError **error);
void measure_counters_free(MeasureCounters *counters);
