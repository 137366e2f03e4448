/** The timeline of a processor: the spans (span_cutter.h) of its main thread, from the columns of a trace. */
#ifndef HIERA_TIMELINE_H
#define HIERA_TIMELINE_H

#include "span_cutter.h"

/** Visit the spans of a processor in order of time. O(operations). */
void hiera_timeline_visit(const HieraTrace *trace, guint32 processor, HieraSpanVisit visit, gpointer user);

#endif
