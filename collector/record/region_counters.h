/* HIERA_COUNTERS: what counters have counted during a region.
 *
 * Idea: who does not ask for counters pays nothing, not even a branch. A region that is counted has another value where
 * its name says whether it is recorded, and its entry another one where the counts of short functions are: both are
 * looked at anyhow. Counters are read before the begin time and after the end time is taken. Their differences, and of
 * levels the values at the end, become a record in front of the region's end. */
#ifndef HIERA_REGION_COUNTERS_H
#define HIERA_REGION_COUNTERS_H

#include "counters/counters.h"
#include "record.h"

/* The counters of the setting; n is 0 if it asks for none. */
extern HieraCounterSet hiera_region_counters;

typedef struct HieraCountersRecord {
    uint32_t bytes, call;
    double values[]; /* of hiera_region_counters; NaN: not known */
} HieraCountersRecord;

enum { HIERA_COUNTERS_ROOM = sizeof(HieraCountersRecord) + HIERA_COUNTER_SET * sizeof(double) };

/* Read the setting. */
void hiera_region_counters_load(void);

/* A region begins, which will be the open region with this index. Returns false if there is no memory. */
bool hiera_region_counters_begin(HieraThread *thread, uint32_t index);

/* It ends: write the record, for which there is room. Only after such a begin. */
void hiera_region_counters_put(HieraThread *thread, uint32_t index);

void hiera_region_counters_free(HieraThread *thread);

#endif
