/* Goes through the summed operations of each thread with the ones around them; see summed_threads.h. */
#include "summed_threads.h"
#include "hiera_summed.h"

/* A summed operation. Its own time is all but that of the operations inside. */
typedef struct {
    guint32 depth;
    gboolean is_region;
    gint64 own_ns;
    gint64 *sum; /* where its own time is added; NULL: nowhere, since it is inside an MPI call */
} Open;

/* Sums over one thread, or several. */
typedef struct {
    gint64 useful_ns, mpi_ns, io_ns, idle_ns;
    gint64 n_regions, regions_ns; /* regions that the thread began */
    gint64 n_parts;               /* implicit tasks */
} Sums;

typedef struct {
    const HieraProcessor *of;
    Sums main, others, *current;
    guint32 thread;
    gboolean is_nested; /* whether there are regions in regions, or begun by other threads than the main thread */
    GArray *open;       /* Open */
    gint64 n_others, n_parts, least_parts, most_parts; /* threads with implicit tasks; of the current one, of all */
} Search;

static Open *peek_last(const Search *search)
{
    return search->open->len > 0 ? &g_array_index(search->open, Open, search->open->len - 1) : NULL;
}

static void close_until(const Search *search, guint32 depth)
{
    for (const Open *last; (last = peek_last(search)) && last->depth >= depth;) {
        if (last->sum)
            *last->sum = hiera_plus(*last->sum, MAX(last->own_ns, 0));
        g_array_set_size(search->open, search->open->len - 1);
    }
}

static gboolean is_in_region(const Search *search)
{
    for (guint i = 0; i < search->open->len; i++)
        if (g_array_index(search->open, Open, i).is_region)
            return TRUE;
    return FALSE;
}

static gint64 *sum_of(const Search *search, const HieraSite *site, gboolean is_region)
{
    Sums *sums = search->current;
    const Open *around = peek_last(search);
    if (around && (!around->sum || around->sum == &sums->mpi_ns || around->sum == &sums->io_ns))
        return NULL;
    if (site->mpi)
        return hiera_site_does(site) == HIERA_DOES_IO ? &sums->io_ns : &sums->mpi_ns;
    gboolean idles = hiera_site_idles(site) != HIERA_IDLE_NOT && (search->thread != 0 || is_in_region(search));
    return is_region || idles ? &sums->idle_ns : &sums->useful_ns;
}

static void turn_to(Search *search, guint32 thread)
{
    close_until(search, 0);
    if (search->thread != 0 && search->n_parts > 0) {
        search->n_others++;
        search->least_parts = MIN(search->least_parts, search->n_parts);
        search->most_parts = MAX(search->most_parts, search->n_parts);
    }
    search->n_parts = 0;
    search->thread = thread;
    search->current = thread == 0 ? &search->main : &search->others;
}

static void add(Search *search, const HieraSummed *summed)
{
    gboolean is_region = hiera_site_is_openmp(summed->site, "parallel");
    gint64 time_ns = hiera_summed_time_between(summed, search->of->init_ns, search->of->finalize_ns);
    if (summed->thread != search->thread)
        turn_to(search, summed->thread);
    close_until(search, summed->depth);
    if (is_region) {
        search->current->n_regions += summed->calls;
        search->current->regions_ns = hiera_plus(search->current->regions_ns, time_ns);
        search->is_nested |= search->thread != 0 || is_in_region(search);
    }
    Open open = {summed->depth, is_region, time_ns, sum_of(search, summed->site, is_region)};
    Open *around = peek_last(search);
    if (around)
        around->own_ns = hiera_minus(around->own_ns, time_ns);
    search->n_parts += hiera_site_is_openmp(summed->site, "implicit task") ? summed->calls : 0;
    g_array_append_val(search->open, open);
}

/* Whether calls of OpenMP lie before init or after finalize: sums do not say how much of them. */
static gboolean is_outside(const HieraTrace *trace, const HieraProcessor *of, guint first, guint behind)
{
    for (guint i = first; i < behind; i++) {
        const HieraSummed *summed = g_array_index(trace->summed, HieraSummedOf, i).summed;
        if (g_str_equal(summed->site->level, "openmp") &&
            (summed->first_ns < of->init_ns || (summed->open == 0 && summed->last_ns > of->finalize_ns)))
            return TRUE;
    }
    return FALSE;
}

/* Whether single operations tell of regions: then sums do not tell all. */
static gboolean has_rows(const HieraTrace *trace, const HieraProcessor *of)
{
    for (guint64 row = of->first; row < of->first + of->n_operations; row++)
        if (g_str_equal(hiera_trace_peek_site(trace, (guint32)row)->level, "openmp"))
            return TRUE;
    return FALSE;
}

/* Whether each thread has a part of each region, and no region is in another one: then the sums tell when threads are
 * in no region. */
static gboolean is_plain(const Search *search)
{
    return !search->is_nested && search->n_others > 0 && search->least_parts == search->most_parts &&
           search->most_parts == search->main.n_regions;
}

static HieraThreadTimes divide(const Search *search, gint64 run_ns, const gint64 main[HIERA_N_DOINGS])
{
    const Sums *own = &search->main, *others = &search->others;
    gint64 busy_ns = others->useful_ns + others->mpi_ns + others->io_ns;
    return (HieraThreadTimes){.useful_ns = main[HIERA_DOES_COMPUTE] - own->idle_ns + others->useful_ns,
                              .mpi_ns = main[HIERA_DOES_COMMUNICATE] + others->mpi_ns,
                              .io_ns = main[HIERA_DOES_IO] + others->io_ns,
                              .own_ns = main[HIERA_DOES_OWN],
                              .serial_ns = search->n_others * (run_ns - own->regions_ns),
                              .balance_ns = own->idle_ns + search->n_others * own->regions_ns - busy_ns};
}

gboolean hiera_summed_threads_find(HieraSummedThreads *threads, const HieraTrace *trace, guint32 processor,
                                   const gint64 main[HIERA_N_DOINGS])
{
    const HieraProcessor *of = &trace->processors[processor];
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Open));
    Search search = {.of = of, .open = open, .least_parts = G_MAXINT64};
    guint first = hiera_trace_find_summed(trace, processor), behind = hiera_trace_find_summed(trace, processor + 1);
    search.current = &search.main;
    for (guint i = first; i < behind; i++)
        add(&search, g_array_index(trace->summed, HieraSummedOf, i).summed);
    turn_to(&search, 0);
    threads->main_idle_ns = search.main.idle_ns;
    if (!is_plain(&search) || search.n_others + 1 > of->usage.n_threads || has_rows(trace, of) ||
        is_outside(trace, of, first, behind))
        return FALSE;
    threads->n_threads = (guint32)search.n_others + 1;
    threads->times = divide(&search, hiera_minus(of->finalize_ns, of->init_ns), main);
    return threads->times.balance_ns >= 0 && threads->times.useful_ns >= 0;
}
