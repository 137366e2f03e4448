/** Doubts about waits: which of them the error of the clocks could turn round.
 *
 * A wait is the difference of two times on two ranks. If it is not longer than their clocks may differ, perhaps the
 * other rank waited. Of a completion, which depends on all ranks, the greatest difference of two clocks counts. */
#ifndef HIERA_CLOCK_DOUBTS_H
#define HIERA_CLOCK_DOUBTS_H

#include "waiting.h"

typedef struct {
    const HieraTrace *trace;
    gint64 greatest_ns; /* by which the clocks of two ranks may differ; 0: not at all; HIERA_TOO_LARGE: not known */
} HieraClockDoubts;

HieraClockDoubts hiera_clock_doubts_of(const HieraTrace *trace);

/** Whether the error of the clocks could turn a wait round. */
gboolean hiera_clock_doubts_touch(const HieraClockDoubts *doubts, const HieraWait *wait);

#endif
