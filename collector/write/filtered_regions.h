/* Decides which regions and functions HIERA_FILTER leaves out, and finds their totals. */
#pragma once

#include "filtered_totals.h"

/* Return the row of totals for a region that rules leave out; NULL: it is recorded. `finish`: 0 while it is open. */
HieraSumRow *hiera_region_hide(HieraSums *sums, const HieraRecord *record, uint64_t finish);
