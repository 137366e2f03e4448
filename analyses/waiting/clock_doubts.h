/** Doubts about waits: which of them the error of the clocks could turn round.
 *
 * A wait is the difference of two times on two ranks. If it is not longer than their clocks may differ, perhaps the
 * other rank waited. Of a completion, which depends on all ranks, the greatest difference of two clocks counts. A call
 * that ends before what it waited for begins shows that the clocks differ by more than they say. */
#pragma once

#include "waiting.h"

typedef struct {
    const HieraTrace *trace;
    gint64 greatest_ns; /* by which the clocks of two ranks may differ; 0: not at all; HIERA_TOO_LARGE: not known */
} HieraClockDoubts;

HieraClockDoubts hiera_clock_doubts_of(const HieraTrace *trace);

/** Whether the error of the clocks could turn a wait round. */
gboolean hiera_clock_doubts_touch(const HieraClockDoubts *doubts, const HieraWait *wait);

/** Waiting, and that which the error of the clocks could turn round; 0 where it is none. */
typedef struct {
    gint64 unsure_ns, waiting_ns;
} HieraDoubtSums;

/** Add up the waits of the scope's own processors. */
HieraDoubtSums hiera_clock_doubts_sum(const HieraTrace *trace, const GArray *waits, const HieraScope *scope);

/** Return the sums of all processes, in the one that leads; all call it. */
HieraDoubtSums hiera_clock_doubts_gather(const HieraTrace *trace, const GArray *waits, const HieraScope *scope);

/** Say of a table what hiera_clock_doubts_limit() says, from the sums of all processes. */
void hiera_clock_doubts_limit_sums(const HieraTrace *trace, const HieraDoubtSums *sums, HieraTable *table);

/** Return what hiera_clock_doubts_say() says, from the sums of all processes. */
char *hiera_clock_doubts_say_sums(const HieraTrace *trace, const HieraDoubtSums *sums);

/** Return a sentence about all waits of a trace, to be freed with g_free; NULL if the waits that the error of the
 * clocks could turn round are few: less than 10 % of the waiting, or 0.5 % of the time of all ranks. */
char *hiera_clock_doubts_say(const HieraTrace *trace, const GArray *waits);

/** Say the same of a table that depends on the waits, but does not say it of each. */
void hiera_clock_doubts_limit(const HieraTrace *trace, const GArray *waits, HieraTable *table);
