#include "efficiency_spans.h"

typedef struct {
    const HieraDependences *of; /* dependences of all calls; NULL: spans have their recorded length */
    const HieraIdealRun *ideal;
    const GArray *units; /* HieraEfficiencyUnit of the processor; NULL: all spans belong to the sums with index 0 */
    guint at;            /* index in `units` of the first one that does not end before the current span */
    guint32 call;        /* index in `of` of the processor's next call */
    HieraEfficiencySpanVisit visit;
    gpointer user;
} Search;

/* Return the index of the sums that a span belongs to; HIERA_NONE if it is in no unit. */
static guint32 find_sums(Search *search, const HieraTimeSpan *span)
{
    if (!search->units)
        return 0;
    if (span->row == HIERA_NONE)
        return HIERA_NONE;
    for (; search->at < search->units->len; search->at++) {
        const HieraEfficiencyUnit *unit = &g_array_index(search->units, HieraEfficiencyUnit, search->at);
        if (span->row < unit->end)
            return span->row >= unit->first ? unit->sums : HIERA_NONE;
    }
    return HIERA_NONE;
}

static void add_span(const HieraTimeSpan *span, gpointer data)
{
    Search *search = data;
    gboolean is_call = hiera_span_is_call(span);
    guint32 call = search->call, sums = find_sums(search, span);
    search->call += is_call;
    if (sums == HIERA_NONE)
        return;
    gint64 recorded_ns = hiera_minus(span->end_ns, span->begin_ns);
    gint64 ideal_ns = !is_call || !search->of ? recorded_ns : search->ideal->duration_ns[call];
    const HieraEfficiencySpan found = {
        .span = *span,
        .sums = sums,
        .ideal_ns = ideal_ns,
        .ideal_end_ns = MIN(span->end_ns, hiera_plus(span->begin_ns, ideal_ns)),
        .unsure = is_call && search->of && hiera_dependences_is_unsure(search->of, call),
    };
    search->visit(&found, search->user);
}

static void add_computation(Search *search, guint32 processor, gint64 begin_ns, gint64 end_ns)
{
    HieraTimeSpan span = {processor, HIERA_NONE, HIERA_NONE, HIERA_DOES_COMPUTE, begin_ns, end_ns};
    if (begin_ns < end_ns)
        add_span(&span, search);
}

/* Visit calls and the time between them directly: a shortcut for one row and no time of the collector, when the time
 * between two calls need not be cut further. */
static void visit_calls(Search *search, guint32 processor)
{
    const HieraDependences *of = search->of;
    const HieraTrace *trace = of->trace;
    gint64 at_ns = trace->processors[processor].init_ns;
    for (guint32 call = of->first_call[processor]; call < of->first_call[processor + 1]; call++) {
        HieraDoing doing = hiera_site_does(hiera_trace_peek_site(trace, of->row[call]));
        HieraTimeSpan span = {processor, of->row[call], HIERA_NONE, doing, of->start_ns[call], of->finish_ns[call]};
        add_computation(search, processor, at_ns, span.begin_ns);
        add_span(&span, search);
        at_ns = span.end_ns;
    }
    add_computation(search, processor, at_ns, trace->processors[processor].finalize_ns);
}

void hiera_efficiency_spans_visit(const HieraDependences *of, const HieraIdealRun *ideal, const GArray *units,
                                  guint32 processor, HieraEfficiencySpanVisit visit, gpointer user)
{
    Search search = {of, ideal, units, 0, of->first_call[processor], visit, user};
    if (units || hiera_trace_find_own_time(of->trace, processor) < hiera_trace_find_own_time(of->trace, processor + 1))
        hiera_timeline_visit(of->trace, processor, add_span, &search);
    else
        visit_calls(&search, processor);
}

void hiera_recorded_spans_visit(const HieraTrace *trace, const GArray *units, guint32 processor,
                                HieraEfficiencySpanVisit visit, gpointer user)
{
    Search search = {NULL, NULL, units, 0, 0, visit, user};
    hiera_timeline_visit(trace, processor, add_span, &search);
}
