/* The elements of regions and of calls of functions. */
#ifndef HIERA_REGION_FORMAT_H
#define HIERA_REGION_FORMAT_H

#include "places/call_site.h"
#include "trace_file.h"

/* What a region, or a call of a function, is to the rules. */
typedef struct HieraRegionInfo {
    const char *level, *name;
    const HieraFunctionName *function; /* NULL of a region */
} HieraRegionInfo;

HieraRegionInfo hiera_region_info(const HieraRecord *record);

/* The tag of its begin, without its `>`, and where its finish time is to be filled in if it is still open: offset in
 * the file, and in compact spelling the nanoseconds of its start. `head` has its times. */
HieraFrame hiera_region_put_begin(HieraTraceFile *stream, const HieraRecord *record, const HieraRecord *head);

/* The whole element of one that has ended, with nothing in it. */
void hiera_region_put_leaf(HieraTraceFile *stream, const HieraRecord *record, const HieraRecord *head);

/* The element of calls that were too short for one of their own. */
void hiera_region_put_counted(HieraTraceFile *stream, const HieraRecord *record);

/* Where "Class::method" is divided: a class may have colons of its own. NULL: nowhere. */
const char *hiera_region_last_colons(const char *name);

#endif
