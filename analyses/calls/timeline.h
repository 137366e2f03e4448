/** The timeline of a processor: the spans (span_cutter.h) of its main thread, from the columns of a trace. */
#pragma once

#include "span_cutter.h"

/** Visit the spans of a processor in order of time. O(operations). */
void hiera_timeline_visit(const HieraTrace *trace, guint32 processor, HieraSpanVisit visit, gpointer user);

/** A timeline that is read span by span, for callers that read several at once. The fields are private. It must not be
 * moved in memory. */
typedef struct {
    const HieraTrace *trace;
    HieraSpanCutter cutter;
    guint64 row, behind;  /* next row to feed to the cutter; row after the processor's last one */
    HieraTimeSpan *spans; /* buffer of n_spans spans, of which n_read were returned; n_room are allocated */
    guint n_spans, n_read, n_room;
} HieraTimeline;

void hiera_timeline_open(HieraTimeline *line, const HieraTrace *trace, guint32 processor);
/** Return the next span, valid until the next call; NULL after the last one. */
const HieraTimeSpan *hiera_timeline_next(HieraTimeline *line);
void hiera_timeline_close(HieraTimeline *line);
