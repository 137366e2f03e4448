/* What all threads of OpenMP of a rank do in each bin; see over_time_sums.h. */
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

static void add_times(const HieraOverTime *over, const HieraRankThreads *threads, const Windows *windows)
{
    guint n = windows->windows->len;
    g_autofree HieraThreadTimes *times = g_new(HieraThreadTimes, n + 1);
    hiera_thread_times_find(threads, (const HieraTimeWindow *)windows->windows->data, n, times);
    for (guint i = 0; i < n; i++) {
        gint64 *ns = over->rank[g_array_index(windows->bins, guint32, i)].ns;
        ns[HIERA_OVER_THREADS] = threads->n_threads;
        ns[HIERA_OVER_ALL_USEFUL] += times[i].useful_ns;
        ns[HIERA_OVER_ALL_IO] += times[i].io_ns;
        ns[HIERA_OVER_SERIAL] += times[i].serial_ns;
        ns[HIERA_OVER_BALANCE] += times[i].balance_ns;
        ns[HIERA_OVER_SCHEDULING] += times[i].scheduling_ns;
    }
}

void hiera_over_time_add_threads(HieraOverTime *over, const HieraMatch *match, guint32 processor, const GArray *units)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    const HieraRankThreads *threads = hiera_rank_threads_of(match, processor);
    if (!threads)
        return;
    g_autoptr(GArray) windows = g_array_new(FALSE, FALSE, sizeof(HieraTimeWindow));
    g_autoptr(GArray) bins = g_array_new(FALSE, FALSE, sizeof(guint32));
    Windows all = {&over->bins, {0}, windows, bins};
    if (!units)
        add_windows(&all, trace->processors[processor].init_ns, trace->processors[processor].finalize_ns);
    for (guint i = 0; units && i < units->len; i++) {
        const HieraEfficiencyUnit *unit = &g_array_index(units, HieraEfficiencyUnit, i);
        if (unit->sums != HIERA_NONE)
            add_windows(&all, trace->start_ns[unit->first], trace->finish_ns[unit->first]);
    }
    add_times(over, threads, &all);
}
