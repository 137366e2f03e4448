/* What threads of OpenMP of a rank do in each bin; see over_time_sums.h. */
#include "efficiency_units.h"
#include "over_time_sums.h"

/* The parts of bins that are in operations of the scope. */
typedef struct {
    const HieraTimeBins *of;
    HieraTimeWindow span;   /* the operation whose parts are added */
    GArray *windows, *bins; /* HieraTimeWindow; guint32: its bin */
} Windows;

static void add_window(guint bin, gint64 inside_ns, gpointer user)
{
    const Windows *all = user;
    HieraTimeWindow window = {MAX(all->span.begin_ns, hiera_time_bins_edge(all->of, bin)),
                              MIN(all->span.end_ns, hiera_time_bins_edge(all->of, bin + 1))};
    if (inside_ns <= 0)
        return;
    g_array_append_val(all->windows, window);
    g_array_append_val(all->bins, bin);
}

static void add_windows(Windows *all, gint64 begin_ns, gint64 end_ns)
{
    all->span = (HieraTimeWindow){begin_ns, end_ns};
    hiera_time_bins_spread(all->of, begin_ns, end_ns, add_window, all);
}

/* Find the parts of bins in which the time of a processor counts. */
static void find_windows(Windows *all, const HieraOverTime *over, const HieraProcessor *of, const HieraTrace *trace,
                         const GArray *units)
{
    *all = (Windows){&over->bins,
                     {0},
                     g_array_new(FALSE, FALSE, sizeof(HieraTimeWindow)),
                     g_array_new(FALSE, FALSE, sizeof(guint32))};
    if (!units)
        add_windows(all, of->init_ns, of->finalize_ns);
    for (guint i = 0; units && i < units->len; i++) {
        const HieraEfficiencyUnit *unit = &g_array_index(units, HieraEfficiencyUnit, i);
        if (unit->sums != HIERA_NONE)
            add_windows(all, trace->start_ns[unit->first], trace->finish_ns[unit->first]);
    }
}

static void clear_windows(const Windows *all)
{
    g_array_unref(all->windows);
    g_array_unref(all->bins);
}

/* --- all threads --- */

static void add_times(const HieraOverTime *over, const HieraRankThreads *threads, const Windows *windows)
{
    guint n = windows->windows->len;
    g_autofree HieraThreadTimes *times = g_new(HieraThreadTimes, n + 1);
    hiera_thread_times_find(threads, (const HieraTimeWindow *)windows->windows->data, n, times);
    for (guint bin = 0; bin < over->bins.n; bin++)
        over->rank[bin].ns[HIERA_OVER_THREADS] = threads->n_threads;
    for (guint i = 0; i < n; i++) {
        gint64 *ns = over->rank[g_array_index(windows->bins, guint32, i)].ns;
        ns[HIERA_OVER_ALL_USEFUL] += times[i].useful_ns;
        ns[HIERA_OVER_ALL_MPI] += times[i].mpi_ns;
        ns[HIERA_OVER_ALL_IO] += times[i].io_ns;
        ns[HIERA_OVER_ALL_IDLE] += hiera_thread_times_idle(&times[i]);
        ns[HIERA_OVER_SERIAL] += times[i].serial_ns;
        ns[HIERA_OVER_BALANCE] += times[i].balance_ns;
        ns[HIERA_OVER_SCHEDULING] += times[i].scheduling_ns;
    }
}

void hiera_over_time_add_threads(HieraOverTime *over, const HieraMatch *match, guint32 processor, const GArray *units)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    const HieraRankThreads *threads = hiera_rank_threads_of(match, processor);
    Windows windows;
    if (!threads)
        return;
    find_windows(&windows, over, &trace->processors[processor], trace, units);
    add_times(over, threads, &windows);
    clear_windows(&windows);
}

/* --- one thread --- */

/* Move the part of a span that is in a window from the idle time to what the thread does. */
static void add_part(const HieraOverTime *over, const Windows *windows, guint at, const HieraThreadSpan *span)
{
    const HieraTimeWindow *window = &g_array_index(windows->windows, HieraTimeWindow, at);
    gint64 *ns = over->rank[g_array_index(windows->bins, guint32, at)].ns;
    gint64 time_ns = MIN(span->end_ns, window->end_ns) - MAX(span->begin_ns, window->begin_ns);
    ns[HIERA_DOES_IDLE] -= time_ns;
    ns[span->doing] += time_ns;
}

/* @param first  index of the thread's first span; @return the index behind its last span */
static guint add_spans(const HieraOverTime *over, const GArray *of_rank, guint first, const Windows *windows)
{
    const HieraTimeWindow *of = (const HieraTimeWindow *)(const void *)windows->windows->data;
    const HieraThreadSpan *spans = (const HieraThreadSpan *)(const void *)of_rank->data;
    guint n = windows->windows->len, at = 0, i = first;
    for (guint k = 0; k < n; k++)
        over->rank[g_array_index(windows->bins, guint32, k)].ns[HIERA_DOES_IDLE] += of[k].end_ns - of[k].begin_ns;
    for (; i < of_rank->len && spans[i].thread == spans[first].thread; i++) {
        while (at < n && of[at].end_ns <= spans[i].begin_ns)
            at++;
        for (guint k = at; spans[i].idles == HIERA_IDLE_NOT && k < n && of[k].begin_ns < spans[i].end_ns; k++)
            add_part(over, windows, k, &spans[i]);
    }
    return i;
}

guint hiera_over_time_add_thread(HieraOverTime *over, const HieraTrace *trace, guint32 processor, const GArray *spans,
                                 guint first, const GArray *units)
{
    Windows windows;
    find_windows(&windows, over, &trace->processors[processor], trace, units);
    guint end = add_spans(over, spans, first, &windows);
    clear_windows(&windows);
    return end;
}
