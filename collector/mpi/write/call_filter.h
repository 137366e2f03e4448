/* Which MPI calls are recorded, by the settings HIERA_FILTER and HIERA_LEVELS. For HieraLevelOps. */
#pragma once

#include "write/filtered_totals.h"

#include <stdbool.h>

/* Read the settings HIERA_FILTER and HIERA_LEVELS. */
void hiera_call_filter_load(void);

/* Whether every call of this MPI function is recorded, so that no filter needs to be asked. */
bool hiera_call_filter_keeps(unsigned call);

/* If a filter leaves out the call of this record, add the call to `sums` instead of writing it, and return true. */
bool hiera_call_filter_hide(HieraSums *sums, const HieraRecord *record);
