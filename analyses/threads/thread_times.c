/* Each span is added to the windows that it touches; idle time first by window, team and thread. */
#include "thread_times.h"

typedef struct {
    guint32 window, team, thread;
    gint64 ns;
} Idle;

typedef struct {
    const HieraRankThreads *threads;
    const HieraTimeWindow *windows;
    guint n;
    HieraThreadTimes *times;
    GArray *idles; /* Idle */
} Search;

void hiera_thread_times_add(HieraThreadTimes *to, const HieraThreadTimes *times)
{
    to->useful_ns += times->useful_ns;
    to->mpi_ns += times->mpi_ns;
    to->io_ns += times->io_ns;
    to->own_ns += times->own_ns;
    to->serial_ns += times->serial_ns;
    to->balance_ns += times->balance_ns;
    to->scheduling_ns += times->scheduling_ns;
}

/* Return the first window that does not end before a time. */
static guint find_window(const Search *search, gint64 at_ns)
{
    guint low = 0, high = search->n;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (search->windows[middle].end_ns <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_part(const Search *search, const HieraThreadSpan *span, guint window, gint64 ns)
{
    HieraThreadTimes *times = &search->times[window];
    gint64 *const sums[HIERA_N_DOINGS] = {[HIERA_DOES_COMPUTE] = &times->useful_ns,
                                          [HIERA_DOES_COMMUNICATE] = &times->mpi_ns,
                                          [HIERA_DOES_IO] = &times->io_ns,
                                          [HIERA_DOES_OWN] = &times->own_ns};
    Idle idle = {window, span->team, span->thread, ns};
    if (span->idles != HIERA_IDLE_NOT)
        g_array_append_val(search->idles, idle);
    else
        *sums[span->doing] += ns;
}

static void add_span(const Search *search, const HieraThreadSpan *span)
{
    for (guint i = find_window(search, span->begin_ns); i < search->n && search->windows[i].begin_ns < span->end_ns;
         i++)
        add_part(search, span, i,
                 MIN(span->end_ns, search->windows[i].end_ns) - MAX(span->begin_ns, search->windows[i].begin_ns));
}

static gint compare_idles(gconstpointer left, gconstpointer right)
{
    const Idle *a = left, *b = right;
    if (a->window != b->window)
        return (a->window > b->window) - (a->window < b->window);
    if (a->team != b->team)
        return (a->team > b->team) - (a->team < b->team);
    return (a->thread > b->thread) - (a->thread < b->thread);
}

/* Divide the idle time of one team in one window, from index `first` on. @return the index behind it */
static guint divide_team(const Search *search, guint first)
{
    const Idle *idles = (const Idle *)search->idles->data, *of = &idles[first];
    guint32 n_threads = g_array_index(search->threads->teams, HieraTeam, of->team).n_threads, n_idle = 0;
    gint64 sum_ns = 0, least_ns = G_MAXINT64;
    guint i = first;
    while (i < search->idles->len && idles[i].window == of->window && idles[i].team == of->team) {
        gint64 ns = 0;
        for (guint32 thread = idles[i].thread; i < search->idles->len && idles[i].window == of->window &&
                                               idles[i].team == of->team && idles[i].thread == thread;
             i++)
            ns += idles[i].ns;
        sum_ns += ns;
        least_ns = MIN(least_ns, ns);
        n_idle++;
    }
    gint64 scheduling_ns = n_idle < n_threads ? 0 : least_ns * n_idle;
    search->times[of->window].scheduling_ns += scheduling_ns;
    search->times[of->window].balance_ns += sum_ns - scheduling_ns;
    return i;
}

/* What remains of the time of all threads is that of threads in no team. */
static void find_serial(const Search *search, guint window)
{
    HieraThreadTimes *times = &search->times[window];
    gint64 all_ns = search->threads->n_threads * (search->windows[window].end_ns - search->windows[window].begin_ns);
    times->serial_ns = all_ns - times->useful_ns - times->mpi_ns - times->io_ns - times->own_ns - times->balance_ns -
                       times->scheduling_ns;
}

void hiera_thread_times_find(const HieraRankThreads *threads, const HieraTimeWindow *windows, guint n,
                             HieraThreadTimes *times)
{
    g_autoptr(GArray) idles = g_array_new(FALSE, FALSE, sizeof(Idle));
    const Search search = {threads, windows, n, times, idles};
    memset(times, 0, n * sizeof *times);
    for (guint i = 0; i < threads->spans->len; i++)
        add_span(&search, &g_array_index(threads->spans, HieraThreadSpan, i));
    g_array_sort(idles, compare_idles);
    for (guint i = 0; i < idles->len;)
        i = divide_team(&search, i);
    for (guint i = 0; i < n; i++)
        find_serial(&search, i);
}
