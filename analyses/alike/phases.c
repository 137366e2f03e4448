/* Phases: the iterations of the program, how long they take, and which of them are unlike the others. */
#include "calls/timeline.h"
#include "iterations.h"
#include "measures.h"
#include "values/distribution.h"
#include "values/samples.h"
#include "values/shares.h"

#define WORDS "phase,iteration"

static const HieraColumn phase_columns[] = {
    {"phase", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},         {"operation", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"file", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},          {"line", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_DETAIL},       {"length", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"repeats", HIERA_CELL_INTEGER, HIERA_ROLE_TELLING},   {"ranks", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},     {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"deviation", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING}, {"min", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"max", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},        {"drift", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"outliers", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},
};
static const HieraColumn iteration_columns[] = {
    {"phase", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},      {"iteration", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"start", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},   {"time", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING}, {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"ranks", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},   {"slowest", HIERA_CELL_INTEGER, HIERA_ROLE_TELLING},
};

enum { RANGES_MAX = 6 }; /* ranges of outliers that are named */

/* An iteration of all ranks. */
typedef struct {
    gint64 start_ns, time_ns; /* least start of a rank; longest time of a rank */
    gint64 useful_ns, mpi_ns; /* of all ranks together */
    guint32 slowest, ranks,
        cut; /* processor with the longest time; how many have the iteration, and how many only its end */
} Sums;

typedef struct {
    HieraIterations all;
    HieraCallPaths paths;
    guint *order; /* phases that are shown, the one with most time first */
    guint n_shown;
    Sums *sums;   /* by phase, then by iteration */
    gsize *first; /* by phase: where its sums begin */
    guint at;     /* of the current processor: its first iteration that does not end before the current span */
    guint behind; /* the one behind its last iteration */
} Search;

static const HieraPhase *peek_phase(const Search *search, guint phase)
{
    return &g_array_index(search->all.phases, HieraPhase, phase);
}

static Sums *sums_of(const Search *search, const HieraIteration *iteration)
{
    return &search->sums[search->first[iteration->phase] + iteration->number];
}

/* --- sums --- */

static void add_iteration(const Search *search, guint32 processor, const HieraIteration *iteration)
{
    Sums *sums = sums_of(search, iteration);
    gint64 time_ns = hiera_minus(iteration->end_ns, iteration->begin_ns);
    sums->start_ns = sums->ranks == 0 ? iteration->begin_ns : MIN(sums->start_ns, iteration->begin_ns);
    sums->cut += iteration->cut;
    if (sums->ranks++ == 0 || time_ns > sums->time_ns) {
        sums->time_ns = time_ns;
        sums->slowest = processor;
    }
}

/* Add what of a span lies in iterations. */
static void add_span(const HieraSpan *span, gpointer data)
{
    Search *search = data;
    for (; search->at < search->behind; search->at++) {
        const HieraIteration *iteration = &g_array_index(search->all.iterations, HieraIteration, search->at);
        gint64 inside_ns = MIN(span->end_ns, iteration->end_ns) - MAX(span->begin_ns, iteration->begin_ns);
        Sums *sums = sums_of(search, iteration);
        gint64 *sum = span->doing == HIERA_DOES_COMPUTE ? &sums->useful_ns : &sums->mpi_ns;
        *sum = hiera_plus(*sum, MAX(inside_ns, 0));
        if (iteration->end_ns > span->end_ns)
            return;
    }
}

static void add_up(Search *search)
{
    HieraIterations *all = &search->all;
    gsize n = 0;
    search->first = g_new(gsize, (gsize)all->phases->len + 1);
    for (guint i = 0; i < all->phases->len; i++) {
        search->first[i] = n;
        n += peek_phase(search, i)->repeats;
    }
    search->sums = g_new0(Sums, n + 1);
    for (guint32 i = 0; i < all->trace->n_processors; i++) {
        search->at = all->first[i];
        search->behind = all->first[i + 1];
        for (guint k = search->at; k < search->behind; k++)
            add_iteration(search, i, &g_array_index(all->iterations, HieraIteration, k));
        if (search->at < search->behind)
            hiera_timeline_visit(all->trace, i, add_span, search);
    }
}

/* The one with most time first; of equal ones the one that was met first. */
static gint compare_phases(gconstpointer left, gconstpointer right, gpointer search)
{
    guint a = *(const guint *)left, b = *(const guint *)right;
    gint64 time_a = peek_phase(search, a)->time_ns, time_b = peek_phase(search, b)->time_ns;
    return time_a != time_b ? (time_a < time_b) - (time_a > time_b) : (a > b) - (a < b);
}

static void search_init(Search *search, const HieraTrace *trace, const HieraScope *scope)
{
    *search = (Search){0};
    hiera_call_paths_init(&search->paths, trace, scope);
    hiera_iterations_init(&search->all, &search->paths, scope);
    search->order = g_new(guint, (gsize)search->all.phases->len + 1);
    for (guint i = 0; i < search->all.phases->len; i++) {
        if (peek_phase(search, i)->kept)
            search->order[search->n_shown++] = i;
    }
    g_qsort_with_data(search->order, (gint)search->n_shown, sizeof *search->order, compare_phases, search);
    add_up(search);
}

static void search_clear(Search *search)
{
    hiera_iterations_clear(&search->all);
    hiera_call_paths_clear(&search->paths);
    g_free(search->order);
    g_free(search->sums);
    g_free(search->first);
}

/* --- phases --- */

/* Return the slope of a line through the times (least squares), in nanoseconds for an iteration, rounded:
 * (n Σ k t − Σ k Σ t) / (n Σ k² − (Σ k)²), k = 0, 1, …. */
static gint64 slope_of(const Sums *sums, guint n)
{
    __int128 times = 0, weighted = 0;
    for (guint k = 0; k < n; k++) {
        times += sums[k].time_ns;
        weighted += (__int128)sums[k].time_ns * k;
    }
    __int128 count = n, numbers = count * (count - 1) / 2, squares = (count - 1) * count * (2 * count - 1) / 6;
    __int128 over = count * weighted - numbers * times, under = count * squares - numbers * numbers;
    if (under == 0)
        return 0;
    __int128 slope = (2 * (over < 0 ? -over : over) + under) / (2 * under);
    return (gint64)(over < 0 ? -slope : slope);
}

/* One whose beginning is not known is not unlike the others because it is short. */
static gboolean is_outlier(const Sums *sums, const HieraDistribution *of)
{
    __int128 apart = (__int128)sums->time_ns - of->mean, far = 3 * (__int128)of->deviation;
    return apart > far || (apart < -far && sums->cut == 0) || (__int128)sums->time_ns * 2 > 3 * (__int128)of->median;
}

/* Return the numbers of the iterations that are unlike the others, like "3 17-19". */
static const char *name_outliers(const Sums *sums, guint n, const HieraDistribution *of, HieraTable *table)
{
    g_autoptr(GString) text = g_string_new(NULL);
    guint ranges = 0;
    for (guint i = 0; i < n; i++) {
        guint first = i;
        while (i < n && is_outlier(&sums[i], of))
            i++;
        if (i > first && ranges++ == RANGES_MAX) {
            g_string_append(text, " …");
            break;
        }
        if (i > first)
            hiera_ranks_append_range(text, first + 1, i);
    }
    return hiera_table_keep(table, text->str);
}

static void add_phase(const Search *search, guint place, gint64 run_ns, HieraTable *table)
{
    const HieraTrace *trace = search->all.trace;
    const HieraPhase *phase = peek_phase(search, search->order[place]);
    const Sums *sums = &search->sums[search->first[search->order[place]]];
    const HieraSite *site = hiera_trace_peek_site(trace, phase->row);
    g_autofree gint64 *times = g_new(gint64, (gsize)phase->repeats + 1);
    for (guint i = 0; i < phase->repeats; i++)
        times[i] = sums[i].time_ns;
    HieraDistribution of = hiera_distribution_of(times, phase->repeats);
    gboolean known = of.sum != HIERA_TOO_LARGE;
    hiera_table_add(
        table, (HieraCell[]){{.number = place + 1},
                             {.text = hiera_site_name(site, table)},
                             {.text = site->short_file},
                             {.number = site->line},
                             {.text = hiera_call_paths_text(&search->paths, search->paths.node[phase->row], table)},
                             {.number = phase->length},
                             {.number = phase->repeats},
                             {.number = phase->ranks},
                             {.number = hiera_percent(phase->time_ns, run_ns)},
                             {.number = of.mean},
                             {.number = of.deviation},
                             {.number = of.min},
                             {.number = of.max},
                             {.number = known ? slope_of(sums, phase->repeats) : HIERA_TOO_LARGE},
                             {.text = known ? name_outliers(sums, phase->repeats, &of, table) : ""}});
}

/* --- iterations --- */

static gint64 mean_of(gint64 sum, guint32 n)
{
    return sum == HIERA_TOO_LARGE ? sum : sum / n;
}

static void add_iterations(const Search *search, guint place, gint64 run_ns, HieraTable *table)
{
    (void)run_ns;
    const HieraPhase *phase = peek_phase(search, search->order[place]);
    const Sums *sums = &search->sums[search->first[search->order[place]]];
    for (guint i = 0; i < phase->repeats; i++, sums++)
        hiera_table_add(table, (HieraCell[]){{.number = place + 1},
                                             {.number = i + 1},
                                             {.number = sums->start_ns},
                                             {.number = sums->time_ns},
                                             {.number = mean_of(sums->useful_ns, sums->ranks)},
                                             {.number = mean_of(sums->mpi_ns, sums->ranks)},
                                             {.number = sums->ranks},
                                             {.number = search->all.trace->processors[sums->slowest].rank}});
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    Search search;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    gboolean each = hiera_scope_find_by(scope, WORDS) == 1;
    gint64 run_ns = hiera_run_sum(trace, scope);
    search_init(&search, trace, scope);
    for (guint i = 0; i < search.n_shown; i++)
        (each ? add_iterations : add_phase)(&search, i, run_ns, table);
    search_clear(&search);
    return TRUE;
}

#define FORM(of)                                                                                                       \
    {                                                                                                                  \
        .name = "phases", .columns = of, .n_columns = G_N_ELEMENTS(of), .protocol = HIERA_PROTOCOL_MATCH,              \
        .ordered = TRUE, .find = find                                                                                  \
    }
static const HieraMeasure by_phase = FORM(phase_columns), by_iteration = FORM(iteration_columns);
static const HieraMeasure *const forms[] = {&by_phase, &by_iteration};

const HieraMeasure hiera_measure_phases = {
    .name = "phases",
    .help = "iterations, found or marked: time, spread, drift, outliers",
    .by = WORDS,
    .forms = forms,
};
