/* Phases: the iterations of the program, how long they take, and which of them are outliers. */
#include "calls/packed_nodes.h"
#include "calls/timeline.h"
#include "measures.h"
#include "phase_times.h"
#include "threads/thread_times.h"
#include "values/samples.h"
#include "values/shares.h"

#define WORDS "phase,iteration"

static const HieraColumn phase_columns[] = {
    {"phase", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_DETAIL},
    {"length", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"repeats", HIERA_CELL_INTEGER, HIERA_ROLE_TELLING},
    {"ranks", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"deviation", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"min", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"max", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"drift", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"outliers", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},
};
static const HieraColumn iteration_columns[] = {
    {"phase", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},       {"iteration", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"start", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},  {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"idle", HIERA_CELL_SECONDS, HIERA_ROLE_DOUBT},      {"ranks", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"slowest", HIERA_CELL_INTEGER, HIERA_ROLE_TELLING},
};

/* Sums over all ranks of the times in one iteration: of main threads, or of all threads of OpenMP. */
typedef struct {
    gint64 useful_ns, mpi_ns, idle_ns, threads;
} Sums;

typedef struct {
    HieraPhaseTimes times;
    HieraCallPaths paths;
    Sums *sums;   /* by index in `times.times`: sums of this iteration */
    guint at;     /* index of the current processor's first iteration that ends after the current span begins */
    guint behind; /* index after the current processor's last iteration */
} Search;

static Sums *peek_sums(const Search *search, guint number)
{
    const HieraIteration *iteration = &g_array_index(search->times.all.iterations, HieraIteration, number);
    return &search->sums[search->times.first[iteration->phase] + iteration->number];
}

/* Add the parts of a span that lie in iterations to the sums of these iterations. */
static void add_span(const HieraTimeSpan *span, gpointer data)
{
    Search *search = data;
    for (; search->at < search->behind; search->at++) {
        const HieraIteration *iteration = &g_array_index(search->times.all.iterations, HieraIteration, search->at);
        gint64 inside_ns = MIN(span->end_ns, iteration->end_ns) - MAX(span->begin_ns, iteration->begin_ns);
        Sums *sums = peek_sums(search, search->at);
        gint64 *sum = hiera_span_is_call(span) ? &sums->mpi_ns : &sums->useful_ns;
        if (span->doing != HIERA_DOES_OWN)
            *sum = hiera_plus(*sum, MAX(inside_ns, 0));
        if (iteration->end_ns > span->end_ns)
            return;
    }
}

/* --- rows of phases --- */

static void add_phase(const Search *search, guint place, gint64 run_ns, HieraTable *table)
{
    const HieraTrace *trace = search->paths.trace;
    const HieraPhaseTime *first;
    const HieraPhase *phase = hiera_phase_times_peek(&search->times, place, &first);
    const HieraSite *site = hiera_catalog_peek_site(trace->catalog, phase->site);
    HieraPhaseSpread spread = hiera_phase_spread_of(first, phase->repeats);
    g_autofree char *outliers =
        spread.of.sum == HIERA_TOO_LARGE ? g_strdup("") : hiera_phase_name_outliers(first, phase->repeats, &spread);
    hiera_table_add(table, (HieraCell[]){{.number = place + 1},
                                         {.text = hiera_site_name(site, table)},
                                         {.text = site->short_file},
                                         {.number = site->line},
                                         {.text = hiera_call_paths_text(&search->paths, phase->node, table)},
                                         {.number = phase->length},
                                         {.number = phase->repeats},
                                         {.number = phase->ranks},
                                         {.number = hiera_percent(phase->time_ns, run_ns)},
                                         {.number = spread.of.mean},
                                         {.number = spread.of.deviation},
                                         {.number = spread.of.min},
                                         {.number = spread.of.max},
                                         {.number = spread.drift_ns},
                                         {.text = hiera_table_keep(table, outliers)}});
}

/* --- rows of iterations --- */

/* Add what all threads of a processor do in its iterations. */
static void add_threads(const Search *search, const HieraRankThreads *threads, const HieraProcessor *of)
{
    guint n = search->behind - search->at;
    g_autofree HieraTimeWindow *windows = g_new(HieraTimeWindow, n);
    g_autofree HieraThreadTimes *times = g_new(HieraThreadTimes, n);
    for (guint i = 0; i < n; i++) {
        const HieraIteration *iteration = &g_array_index(search->times.all.iterations, HieraIteration, search->at + i);
        windows[i].begin_ns = CLAMP(iteration->begin_ns, of->init_ns, of->finalize_ns);
        windows[i].end_ns = CLAMP(iteration->end_ns, windows[i].begin_ns, of->finalize_ns);
    }
    hiera_thread_times_find(threads, windows, n, times);
    for (guint i = 0; i < n; i++) {
        Sums *sums = peek_sums(search, search->at + i);
        sums->useful_ns = hiera_plus(sums->useful_ns, times[i].useful_ns);
        sums->mpi_ns = hiera_plus(sums->mpi_ns, hiera_plus(times[i].mpi_ns, times[i].io_ns));
        sums->idle_ns = hiera_plus(sums->idle_ns, hiera_thread_times_idle(&times[i]));
        sums->threads += threads->n_threads;
    }
}

static void add_rank(Search *search, const HieraMatch *match, guint32 processor)
{
    const HieraTrace *trace = search->times.all.trace;
    const HieraRankThreads *threads = hiera_rank_threads_of(match, processor);
    if (threads) {
        add_threads(search, threads, &trace->processors[processor]);
        return;
    }
    for (guint i = search->at; i < search->behind; i++)
        peek_sums(search, i)->threads++;
    hiera_timeline_visit(trace, processor, add_span, search);
}

static void add_up(Search *search, const HieraMatch *match)
{
    const HieraIterations *all = &search->times.all;
    gsize n = 1;
    for (guint i = 0; i < all->phases->len; i++)
        n += g_array_index(all->phases, HieraPhase, i).repeats;
    search->sums = g_new0(Sums, n);
    for (guint32 i = 0; i < all->trace->n_processors; i++) {
        search->at = all->first[i];
        search->behind = all->first[i + 1];
        if (search->at < search->behind)
            add_rank(search, match, i);
    }
    hiera_scope_add_up(all->scope, all->trace, &search->sums->useful_ns, n * (sizeof(Sums) / sizeof(gint64)));
}

static void add_iterations(const Search *search, guint place, gint64 run_ns, HieraTable *table)
{
    (void)run_ns;
    const HieraPhaseTime *first;
    const HieraPhase *phase = hiera_phase_times_peek(&search->times, place, &first);
    const Sums *sums = &search->sums[first - search->times.times];
    for (guint i = 0; i < phase->repeats; i++)
        hiera_table_add(table, (HieraCell[]){{.number = place + 1},
                                             {.number = i + 1},
                                             {.number = first[i].start_ns},
                                             {.number = first[i].time_ns},
                                             {.number = hiera_mean(sums[i].useful_ns, sums[i].threads)},
                                             {.number = hiera_mean(sums[i].mpi_ns, sums[i].threads)},
                                             {.number = hiera_mean(sums[i].idle_ns, sums[i].threads)},
                                             {.number = first[i].ranks},
                                             {.number = search->paths.trace->processors[first[i].slowest].rank}});
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    Search search = {0};
    const HieraTrace *trace = hiera_match_peek_trace(match);
    gboolean each = hiera_scope_find_by(scope, WORDS) == 1;
    gint64 run_ns = hiera_run_sum(trace, scope);
    hiera_call_paths_init_together(&search.paths, trace, scope);
    hiera_phase_times_init(&search.times, &search.paths, scope);
    if (each)
        add_up(&search, match);
    for (guint i = 0; hiera_scope_leads(scope) && i < search.times.n_shown; i++)
        (each ? add_iterations : add_phase)(&search, i, run_ns, table);
    hiera_other_threads_limit(match, scope, table);
    hiera_phase_times_clear(&search.times);
    hiera_call_paths_clear(&search.paths);
    g_free(search.sums);
    return TRUE;
}

#define FORM(of)                                                                                                       \
    {                                                                                                                  \
        .name = "phases", .nothing = "nothing is repeated three times by nine tenths of the ranks", .columns = of,     \
        .n_columns = G_N_ELEMENTS(of), .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER, .find = find           \
    }
static const HieraMeasure by_phase = FORM(phase_columns), by_iteration = FORM(iteration_columns);
static const HieraMeasure *const forms[] = {&by_phase, &by_iteration};

const HieraMeasure hiera_measure_phases = {
    .name = "phases",
    .help = "iterations, found or marked: time, spread, drift, outliers",
    .by = WORDS,
    .forms = forms,
};
