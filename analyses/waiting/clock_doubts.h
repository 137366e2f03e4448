/** Doubts about waits: which of them the error of the clocks could reverse.
 *
 * A wait is the difference of two times on two ranks. If it is not longer than their clocks may differ, perhaps the
 * other rank waited. Of a completion, which depends on all ranks, the greatest difference of two clocks counts. A call
 * that ends before what it waited for begins shows that the clocks differ by more than they say. */
#pragma once

#include "waiting.h"

typedef struct {
    const HieraTrace *trace;
    gint64 greatest_ns; /* most that two clocks may differ; 0: one clock; HIERA_TOO_LARGE: not known */
} HieraClockDoubts;

HieraClockDoubts hiera_clock_doubts_of(const HieraTrace *trace);

/** Whether a wait is not longer than the clocks of its ranks may differ, so that perhaps the other rank waited. */
gboolean hiera_clock_doubts_touch(const HieraClockDoubts *doubts, const HieraWait *wait);

/** Sums over waits: `waiting_ns` of all, `unsure_ns` of those that errors of the clocks could reverse. */
typedef struct {
    gint64 unsure_ns, waiting_ns;
} HieraDoubtSums;

/** Return, in process 0, the sums over the waits of all processes. All processes must call it. */
HieraDoubtSums hiera_clock_doubts_gather(const HieraTrace *trace, const GArray *waits, const HieraScope *scope);

/** Return a sentence about the waits that were summed, to be freed with g_free; NULL if the clocks could reverse only
 * few: less than 10 % of the waiting, or 0.5 % of the time of all ranks. */
char *hiera_clock_doubts_say(const HieraTrace *trace, const HieraDoubtSums *sums);

/** Add this sentence to the limits of a table that has no column for doubts. */
void hiera_clock_doubts_limit(const HieraTrace *trace, const HieraDoubtSums *sums, HieraTable *table);
