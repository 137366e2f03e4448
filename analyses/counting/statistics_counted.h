/** `statistics` with --counters: how the values of counters during operations are distributed. */
#pragma once

#include "hiera_measure.h"

/** Words of --by of `statistics`. */
#define HIERA_STATISTICS_BY "operation,site,level"

extern const HieraMeasure hiera_counted_by_operation, hiera_counted_by_site, hiera_counted_by_level;
