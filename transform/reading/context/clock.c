#include "clock.h"
#include "base/findings.h"
#include <math.h>

#define NS            1000000000
#define OFFSET_MAX_NS (G_MAXINT64 / 16)
#define BEFORE_START  "time before the start"
#define DRIFT_MIN     (-999999999999999) /* 1e-15 ns per ns: more than -1, so that corrected times keep their order */

/* Return how far a corrected time may be from the right one: before the first comparison of the clocks, the drift may
 * have been what it was later, or not. */
static gint64 error_at(const HieraClock *clock, gint64 ns)
{
    double drift = (double)clock->drift * 1e-15 * (double)MAX(clock->from_ns - ns, 0);
    return clock->error_ns + llround(MIN(fabs(drift), (double)OFFSET_MAX_NS));
}

/* Report a time before the job's common start: it is set to that start. No finding is made
 * if the error of the clock explains the difference.
 * @param ns  the corrected time; `recorded`: the time in the trace */
static gint64 complain(const HieraClock *clock, const HieraPlace *place, gint64 ns, gint64 recorded)
{
    if (-ns <= error_at(clock, recorded) || hiera_findings_repeat(place->findings, HIERA_FINDING_VALUE, BEFORE_START))
        return 0;
    hiera_findings_add(place->findings, HIERA_FINDING_VALUE, place->path, place->line, BEFORE_START,
                       "by clock_offset a time is %" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT
                       " s before the job's common start; it counts as that start: what lies before it has no length",
                       -ns / NS, -ns % NS);
    return 0;
}

static gint64 add(const HieraClock *clock, const HieraPlace *place, gint64 ns, gint64 change)
{
    gint64 sum;
    if (__builtin_add_overflow(ns, change, &sum) || sum >= G_MAXINT64)
        return G_MAXINT64 - 1; /* the largest valid time, as G_MAXINT64 is HIERA_TIME_OPEN */
    return sum >= 0 ? sum : complain(clock, place, sum, ns);
}

static gint64 drifted(const HieraClock *clock, gint64 ns)
{
    double change = (double)clock->drift * 1e-15 * (double)(CLAMP(ns, clock->from_ns, clock->to_ns) - clock->from_ns);
    return llround(CLAMP(change, -(double)OFFSET_MAX_NS, (double)OFFSET_MAX_NS));
}

gint64 hiera_clock_correct(const HieraClock *clock, const HieraPlace *place, gint64 ns)
{
    return add(clock, place, ns, clock->offset_ns + (clock->drift ? drifted(clock, ns) : 0));
}

/* Read the error of the clock. If it is not 0 and was measured only at the start (there is no drift), it says
 * little about later times: it counts as unknown. */
static void read_error(const HieraPlace *place, const HieraAttributes *attributes, HieraProcessor *processor,
                       HieraClock *clock)
{
    processor->clock_error_ns = hiera_argument_decimal(place, attributes, HIERA_ATTRIBUTE_CLOCK_ERROR, 0, OFFSET_MAX_NS,
                                                       HIERA_CLOCK_ERROR_UNKNOWN);
    clock->error_ns = processor->clock_error_ns == HIERA_CLOCK_ERROR_UNKNOWN ? 0 : processor->clock_error_ns;
    if (processor->clock_error_ns > 0 && !attributes->at[HIERA_ATTRIBUTE_CLOCK_DRIFT])
        processor->clock_error_ns = HIERA_CLOCK_ERROR_UNKNOWN;
}

void hiera_clock_read(const HieraPlace *place, const HieraAttributes *attributes, HieraCache *cache,
                      HieraProcessor *processor, HieraClock *clock)
{
    const HieraXmlAttribute *name = attributes->at[HIERA_ATTRIBUTE_CLOCK];
    processor->clock = name ? hiera_cache_intern(cache, name->value, hiera_attribute_length(name)) : "";
    read_error(place, attributes, processor, clock);
    clock->offset_ns =
        hiera_argument_decimal(place, attributes, HIERA_ATTRIBUTE_CLOCK_OFFSET, -OFFSET_MAX_NS, OFFSET_MAX_NS, 0);
    clock->drift = hiera_argument_decimal(place, attributes, HIERA_ATTRIBUTE_CLOCK_DRIFT, DRIFT_MIN, G_MAXINT64 - 1, 0);
    clock->from_ns = processor->init_ns;
    clock->to_ns = processor->cut ? G_MAXINT64 : processor->finalize_ns;
}
