/* Writes the elements of regions and of instrumented functions. */
#pragma once

#include "places/call_site.h"
#include "record/assertion.h"
#include "record/region_counters.h"
#include "trace_file.h"

/* Level and name of a region or function, as filter rules test them. */
typedef struct HieraRegionInfo {
    const char *level, *name;
    const HieraFunctionName *function; /* the function; NULL for a region */
} HieraRegionInfo;

/* Return level and name of a record that begins a region or function. */
HieraRegionInfo hiera_region_info(const HieraRecord *record);

/* Write level and operation; for the level oops and a name "Class::method", class and method instead. */
void hiera_region_put_name(HieraText *text, const char *level, const char *name);

/* Write the start tag without `>`. `head` has the times. Returns the frame: if the element is still open, it has the
 * position in the file where the finish time is filled in later. */
HieraFrame hiera_region_put_begin(HieraTraceFile *stream, const HieraRecord *record, const HieraRecord *head);

/* Write the whole element of a region that has ended and has no elements inside. */
void hiera_region_put_leaf(HieraTraceFile *stream, const HieraRecord *record);

/* Write the assertion whose region is open, and the values of its variables. */
void hiera_region_put_values(HieraTraceFile *stream, const HieraValuesRecord *record);

/* Write what counters have counted in the open region. */
void hiera_region_put_counters(HieraTraceFile *stream, const HieraCountersRecord *record);

/* Write the element for calls of a function that were only counted, because they were too short to be recorded. */
void hiera_region_put_counted(HieraTraceFile *stream, const HieraRecord *record);

/* Return the last "::" of "Class::method", because a class name may contain "::" too; NULL: there is none. */
const char *hiera_region_last_colons(const char *name);
