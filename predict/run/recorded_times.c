#include "recorded_times.h"
#include "calls/timeline.h"
#include "waiting/waiting.h"

static void add_span(const HieraTimeSpan *span, gpointer data)
{
    RankTimes *times = data;
    gint64 duration_ns = span->end_ns - span->begin_ns;
    times->total += duration_ns;
    *(span->doing == HIERA_DOES_COMPUTE ? &times->compute : &times->mpi) += duration_ns;
}

static void add_waiting(RankTimes *times, const HieraSite *site, gint64 waiting_ns)
{
    times->waiting += waiting_ns;
    if (hiera_site_does(site) == HIERA_DOES_IO)
        times->waiting_on_files += waiting_ns;
}

static void begin(RecordedTimes *times, const HieraTrace *trace)
{
    times->n = trace->n_processors;
    times->rank = g_new(guint32, (gsize)times->n + 1);
    times->ranks = g_new0(RankTimes, (gsize)times->n + 1);
    times->first_ns = G_MAXINT64;
    times->is_past = hiera_trace_peek_past(trace) != NULL;
    times->unrecorded = hiera_unrecorded_find(trace, &HIERA_SCOPE_ALL);
    for (guint32 i = 0; i < times->n; i++) {
        times->rank[i] = trace->processors[i].rank;
        times->first_ns = MIN(times->first_ns, trace->processors[i].init_ns);
    }
}

void recorded_times_add(RecordedTimes *times, const RecordedRun *run)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    g_autofree gint64 *waiting = hiera_waits_by_row(run->match, &all);
    if (!times->ranks)
        begin(times, run->trace);
    for (guint32 i = 0; i < times->n; i++) {
        const HieraProcessor *of = &run->trace->processors[i];
        hiera_timeline_visit(run->trace, i, add_span, &times->ranks[i]);
        for (guint64 row = of->first; row < of->first + of->n_operations; row++)
            if (run->trace->thread[row] == 0)
                add_waiting(&times->ranks[i], hiera_trace_peek_site(run->trace, (guint32)row), waiting[row]);
        times->time_ns = MAX(times->time_ns, of->finalize_ns - times->first_ns);
    }
}

void recorded_times_clear(RecordedTimes *times)
{
    g_free(times->rank);
    g_free(times->ranks);
    *times = (RecordedTimes){0};
}
