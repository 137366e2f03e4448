/* HIERA_COUNTERS: how much counters have counted during a region.
 *
 * Idea: a run that does not ask for counters pays nothing, not even a branch. A counted region has another value in the
 * field that says whether its name is recorded, and its entry has another value in the field for counts of short
 * functions: both fields are tested anyway. Counters are read before the begin time and after the end time is taken.
 * Their differences (for gauges, the values at the end) become a record in front of the region's end. */
#pragma once

#include "counters/counters.h"
#include "record.h"

/* Counters that HIERA_COUNTERS names; `n` is 0 if it names none. */
extern HieraCounterSet hiera_region_counters;

typedef struct HieraCountersRecord {
    uint32_t bytes, call;
    double values[]; /* by counter of hiera_region_counters: how much it has counted; NaN: not known */
} HieraCountersRecord;

enum { HIERA_COUNTERS_ROOM = sizeof(HieraCountersRecord) + HIERA_COUNTER_SET * sizeof(double) };

/* Make hiera_region_counters from the setting HIERA_COUNTERS. */
void hiera_region_counters_load(void);

/* Read the counters at the begin of the region that will get this index. Returns false if there is no memory. */
bool hiera_region_counters_begin(HieraThread *thread, uint32_t index);

/* Write the record with the counts at a region's end; there must be room. Only if hiera_region_counters_begin() was
 * true. */
void hiera_region_counters_put(HieraThread *thread, uint32_t index);

void hiera_region_counters_free(HieraThread *thread);
