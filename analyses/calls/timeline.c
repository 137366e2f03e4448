/* The timeline of a processor; see timeline.h. */
#include "timeline.h"

void hiera_timeline_visit(const HieraTrace *trace, guint32 processor, HieraSpanVisit visit, gpointer user)
{
    const HieraProcessor *of = &trace->processors[processor];
    HieraSpanCutter cutter;
    hiera_span_cutter_begin(&cutter, processor, of->init_ns, of->finalize_ns, visit, user);
    for (guint64 i = of->first; i < of->first + of->n_operations; i++) {
        guint32 row = (guint32)i;
        if (trace->thread[row] != 0)
            continue;
        HieraMoments moments = {row, trace->depth[row], hiera_site_does(hiera_trace_peek_site(trace, row)),
                                trace->start_ns[row], trace->finish_ns[row]};
        hiera_span_cutter_add(&cutter, &moments);
    }
    hiera_span_cutter_end(&cutter, of->finalize_ns);
}
