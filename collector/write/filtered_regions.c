#include "filtered_regions.h"

#include "base/clock.h"
#include "filter_rules.h"
#include "job/job.h"
#include "places/call_site.h"
#include "region_format.h"

#include <string.h>

/* Whether the region has the name `word`; a method of OOPS may be named with or without its class. */
static bool region_is_named(const HieraSubject *subject, const char *word, size_t length, bool group)
{
    const char *name = subject->named,
               *colons = strcmp(subject->level, "oops") == 0 ? hiera_region_last_colons(name) : NULL;
    return !group && (hiera_rules_match(word, length, name) || (colons && hiera_rules_match(word, length, colons + 2)));
}

HieraSumRow *hiera_region_hide(HieraSums *sums, const HieraRecord *record, uint64_t finish)
{
    if (HIERA_LIKELY(!hiera_rules_concern_regions()))
        return NULL;
    HieraRegionInfo info = hiera_region_info(record);
    uint64_t end = hiera_clock_ns(finish ? finish : hiera_clock_ticks()), start = hiera_clock_ns(record->start);
    HieraSubject subject = {
        .is_named = region_is_named, .named = info.name, .level = info.level, .bytes = -1, .open = !finish};
    subject.rank = hiera_job.rank;
    subject.file = info.function ? info.function->file : NULL;
    subject.time_ns = end > start ? (int64_t)(end - start) : 0;
    return hiera_rules_hide(&subject) ? hiera_sums_of_region(sums, info.level, info.name) : NULL;
}
