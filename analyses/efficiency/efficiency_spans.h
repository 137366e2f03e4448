/* The spans of a processor for the efficiencies: each with the index of its row in the answer, and with its length in
 * the ideal run. */
#pragma once

#include "calls/timeline.h"
#include "efficiency_units.h"

typedef struct {
    HieraTimeSpan span;
    guint32 sums;        /* index of the HieraEfficiencySums that the span belongs to */
    gint64 ideal_ns;     /* length of the span in the ideal run; can be longer than recorded */
    gint64 ideal_end_ns; /* begin of the span + ideal_ns, but not after its recorded end */
    gboolean unsure;     /* TRUE if the span is a call with a dependence that contradicts the clocks */
} HieraEfficiencySpan;

typedef void (*HieraEfficiencySpanVisit)(const HieraEfficiencySpan *span, gpointer user);

/* Visit the spans of a processor that belong to a row, in order of time.
 * @param units  HieraEfficiencyUnit of the processor; NULL: all spans belong to row 0, and
 *               those of computation have no rows */
void hiera_efficiency_spans_visit(const HieraDependences *of, const HieraIdealRun *ideal, const GArray *units,
                                  guint32 processor, HieraEfficiencySpanVisit visit, gpointer user);

/* As hiera_efficiency_spans_visit without an ideal run: each span has its recorded length. Partners are not needed. */
void hiera_recorded_spans_visit(const HieraTrace *trace, const GArray *units, guint32 processor,
                                HieraEfficiencySpanVisit visit, gpointer user);
