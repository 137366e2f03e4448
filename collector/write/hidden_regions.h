/* Regions and functions that HIERA_FILTER leaves out. */
#pragma once

#include "filtered_totals.h"

/* If rules leave out the region, return the row of its sum; NULL if it is recorded. `finish` is 0 while it is open. */
HieraSumRow *hiera_region_hide(HieraSums *sums, const HieraRecord *record, uint64_t finish);
