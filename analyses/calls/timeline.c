/* Feeds the rows of a processor to a span cutter; see timeline.h. */
#include "timeline.h"

static void begin(HieraSpanCutter *cutter, const HieraTrace *trace, guint32 processor, HieraSpanVisit visit,
                  gpointer user)
{
    const HieraProcessor *of = &trace->processors[processor];
    guint first = hiera_trace_find_own_time(trace, processor), behind = hiera_trace_find_own_time(trace, processor + 1);
    hiera_span_cutter_begin(cutter, processor, of->init_ns, of->finalize_ns, visit, user);
    if (first < behind)
        hiera_span_cutter_set_own(cutter, &g_array_index(trace->own_time, HieraOwnTime, first), behind - first);
}

static void add_row(HieraSpanCutter *cutter, const HieraTrace *trace, guint32 row)
{
    if (trace->thread[row] != 0)
        return;
    HieraMoments moments = {row, trace->depth[row], hiera_site_does(hiera_trace_peek_site(trace, row)),
                            trace->start_ns[row], trace->finish_ns[row]};
    hiera_span_cutter_add(cutter, &moments);
}

void hiera_timeline_visit(const HieraTrace *trace, guint32 processor, HieraSpanVisit visit, gpointer user)
{
    const HieraProcessor *of = &trace->processors[processor];
    HieraSpanCutter cutter;
    begin(&cutter, trace, processor, visit, user);
    for (guint64 row = of->first; row < of->first + of->n_operations; row++)
        add_row(&cutter, trace, (guint32)row);
    hiera_span_cutter_end(&cutter, of->finalize_ns);
}

/* --- reading a timeline span by span --- */

static void keep(const HieraTimeSpan *span, gpointer data)
{
    HieraTimeline *line = data;
    if (line->n_spans == line->n_room) {
        line->n_room = MAX(2 * line->n_room, 16);
        line->spans = g_renew(HieraTimeSpan, line->spans, line->n_room);
    }
    line->spans[line->n_spans++] = *span;
}

void hiera_timeline_open(HieraTimeline *line, const HieraTrace *trace, guint32 processor)
{
    const HieraProcessor *of = &trace->processors[processor];
    *line = (HieraTimeline){.trace = trace, .row = of->first, .behind = of->first + of->n_operations};
    begin(&line->cutter, trace, processor, keep, line);
}

/* Cut the next rows or, after the last row, the rest. Several rows at once, because a caller that alternates between
 * many ranks finds the columns no longer in the CPU caches. @return false if nothing is left */
static gboolean cut_more(HieraTimeline *line)
{
    enum { ROWS_AT_ONCE = 64 };
    guint64 until = MIN(line->row + ROWS_AT_ONCE, line->behind);
    if (line->row > line->behind)
        return FALSE;
    if (line->row == line->behind) {
        hiera_span_cutter_end(&line->cutter, line->trace->processors[line->cutter.processor].finalize_ns);
        line->row++;
    }
    while (line->row < until)
        add_row(&line->cutter, line->trace, (guint32)line->row++);
    return TRUE;
}

const HieraTimeSpan *hiera_timeline_next(HieraTimeline *line)
{
    while (line->n_read == line->n_spans) {
        line->n_read = line->n_spans = 0;
        if (!cut_more(line))
            return NULL;
    }
    return &line->spans[line->n_read++];
}

void hiera_timeline_close(HieraTimeline *line)
{
    line->row = MAX(line->row, line->behind); /* skips the rows that were not read */
    (void)cut_more(line);
    g_free(line->spans);
}
