/* A stack of open operations is cut into spans; see span_cutter.h. */
#include "span_cutter.h"

static void show(const HieraSpanCutter *cutter, HieraTimeSpan span, HieraDoing doing, gint64 end_ns)
{
    span.doing = doing;
    span.end_ns = end_ns;
    if (span.begin_ns < span.end_ns)
        cutter->visit(&span, cutter->user);
}

/* Visit a span of computation in parts: times that the collector took in it are visited as its own. */
static void visit_without_own(HieraSpanCutter *cutter, HieraTimeSpan span)
{
    for (; cutter->n_own > 0 && cutter->own->start_ns < span.end_ns; cutter->own++, cutter->n_own--) {
        gint64 begin_ns = MAX(cutter->own->start_ns, span.begin_ns), end_ns = MIN(cutter->own->finish_ns, span.end_ns);
        if (begin_ns < end_ns) {
            show(cutter, span, HIERA_DOES_COMPUTE, begin_ns);
            span.begin_ns = begin_ns;
            show(cutter, span, HIERA_DOES_OWN, end_ns);
            span.begin_ns = end_ns;
        }
        if (cutter->own->finish_ns > span.end_ns)
            break;
    }
    show(cutter, span, HIERA_DOES_COMPUTE, span.end_ns);
}

/* Visit the span from the end of the last one until until_ns, but never back, nor beyond the end of the run. */
static void go(HieraSpanCutter *cutter, guint32 row, guint32 next, HieraDoing doing, gint64 until_ns)
{
    HieraTimeSpan span = {cutter->processor, row, next, doing, cutter->at_ns, cutter->at_ns};
    span.end_ns = MAX(MIN(until_ns, cutter->limit_ns), cutter->at_ns);
    cutter->at_ns = span.end_ns;
    if (doing == HIERA_DOES_COMPUTE && cutter->n_own > 0)
        visit_without_own(cutter, span);
    else if (span.begin_ns < span.end_ns || doing != HIERA_DOES_COMPUTE)
        cutter->visit(&span, cutter->user);
}

/* Return the innermost operation that has not ended; NULL if there is none. */
static const HieraMoments *peek_open(const HieraSpanCutter *cutter)
{
    return cutter->n_open > 0 ? &cutter->open[cutter->n_open - 1] : NULL;
}

/* End the innermost open operation: visit the span up to its end. */
static void close_last(HieraSpanCutter *cutter, const HieraMoments *last, gint64 finish_ns)
{
    go(cutter, last->row, HIERA_NONE, last->doing, finish_ns);
    cutter->n_open--;
}

/* End the open operations that do not enclose `for_next`. @return false if one of them lasts to the end of the run */
static gboolean leave(HieraSpanCutter *cutter, const HieraMoments *for_next)
{
    for (const HieraMoments *last; (last = peek_open(cutter)) && last->depth >= for_next->depth;) {
        gboolean open = last->finish_ns == HIERA_TIME_OPEN;
        if (open && last->doing != HIERA_DOES_COMPUTE)
            return FALSE;
        close_last(cutter, last, open ? for_next->start_ns : last->finish_ns);
    }
    return TRUE;
}

void hiera_span_cutter_begin(HieraSpanCutter *cutter, guint32 processor, gint64 init_ns, gint64 limit_ns,
                             HieraSpanVisit visit, gpointer user)
{
    *cutter =
        (HieraSpanCutter){.processor = processor, .visit = visit, .user = user, .at_ns = init_ns, .limit_ns = limit_ns};
}

void hiera_span_cutter_add(HieraSpanCutter *cutter, const HieraMoments *operation)
{
    if (!leave(cutter, operation))
        return;
    const HieraMoments *around = peek_open(cutter);
    if (around && around->doing != HIERA_DOES_COMPUTE)
        return;
    go(cutter, around ? around->row : HIERA_NONE, operation->row, HIERA_DOES_COMPUTE, operation->start_ns);
    if (cutter->n_open == cutter->n_room) {
        cutter->n_room = MAX(2 * cutter->n_room, 16);
        cutter->open = g_renew(HieraMoments, cutter->open, cutter->n_room);
    }
    cutter->open[cutter->n_open++] = *operation;
}

void hiera_span_cutter_end(HieraSpanCutter *cutter, gint64 finalize_ns)
{
    cutter->limit_ns = finalize_ns;
    for (const HieraMoments *last; (last = peek_open(cutter));)
        close_last(cutter, last, last->finish_ns);
    go(cutter, HIERA_NONE, HIERA_NONE, HIERA_DOES_COMPUTE, finalize_ns);
    g_free(cutter->open);
}
