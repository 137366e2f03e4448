/* The timeline of a processor; see timeline.h. */
#include "timeline.h"
#include "values/outermost.h"

typedef struct {
    const HieraTrace *trace;
    guint32 processor;
    HieraSpanVisit visit;
    gpointer user;
    gint64 at_ns; /* end of the last span */
    GArray *open; /* guint32: rows around the current one that are no MPI calls, the innermost last */
} Timeline;

HieraDoing hiera_timeline_doing(const HieraSite *site)
{
    return site->kind == HIERA_KIND_IO || site->kind == HIERA_KIND_IO_ALL || g_str_has_prefix(site->operation, "file_")
               ? HIERA_DOES_IO
               : HIERA_DOES_COMMUNICATE;
}

/* Go to a time, but neither back nor beyond the end of the run. */
static void go(Timeline *line, guint32 row, guint32 next, HieraDoing doing, gint64 until_ns)
{
    until_ns = CLAMP(until_ns, line->at_ns, line->trace->processors[line->processor].finalize_ns);
    HieraSpan span = {line->processor, row, next, doing, line->at_ns, until_ns};
    line->at_ns = until_ns;
    if (span.begin_ns < until_ns || doing != HIERA_DOES_COMPUTE)
        line->visit(&span, line->user);
}

static void compute(Timeline *line, guint32 next, gint64 until_ns)
{
    guint32 row = line->open->len > 0 ? g_array_index(line->open, guint32, line->open->len - 1) : HIERA_NONE;
    go(line, row, next, HIERA_DOES_COMPUTE, until_ns);
}

/* End the operations that are not around one of this depth. */
static void leave(Timeline *line, guint32 depth)
{
    const HieraTrace *trace = line->trace;
    while (line->open->len > 0) {
        guint32 row = g_array_index(line->open, guint32, line->open->len - 1);
        if (trace->depth[row] < depth)
            return;
        compute(line, HIERA_NONE, trace->finish_ns[row]);
        g_array_set_size(line->open, line->open->len - 1);
    }
}

static void add_row(Timeline *line, guint32 row, HieraInside *mpi)
{
    const HieraTrace *trace = line->trace;
    guint32 depth = trace->depth[row];
    if (trace->thread[row] != 0 || hiera_inside_holds(mpi, depth, 0))
        return;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    leave(line, depth);
    compute(line, row, trace->start_ns[row]);
    if (site->mpi) {
        hiera_inside_enter(mpi, depth, 0);
        go(line, row, HIERA_NONE, hiera_timeline_doing(site), trace->finish_ns[row]);
    } else
        g_array_append_val(line->open, row);
}

void hiera_timeline_visit(const HieraTrace *trace, guint32 processor, HieraSpanVisit visit, gpointer user)
{
    const HieraProcessor *of = &trace->processors[processor];
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint32));
    Timeline line = {trace, processor, visit, user, of->init_ns, open};
    HieraInside mpi = HIERA_OUTSIDE;
    for (guint64 row = of->first; row < of->first + of->n_operations; row++)
        add_row(&line, (guint32)row, &mpi);
    leave(&line, 0);
    compute(&line, HIERA_NONE, of->finalize_ns);
}
