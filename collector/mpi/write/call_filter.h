/* Which MPI calls are recorded: HIERA_FILTER and HIERA_LEVELS. For HieraLevelOps. */
#pragma once

#include "write/filtered_totals.h"

#include <stdbool.h>

/* Read the settings. */
void hiera_call_filter_load(void);

/* Whether no filter leaves out any call of this function. */
bool hiera_call_filter_keeps(unsigned call);

/* If a filter leaves out the call of this record, only add it to these sums, and return true. */
bool hiera_call_filter_hide(HieraSums *sums, const HieraRecord *record);
