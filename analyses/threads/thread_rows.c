/* Forms of the measure `threads`: a row for each thread, and for each parallel region. */
#include "rank_threads.h"
#include "thread_forms.h"
#include "values/outermost.h"
#include "values/shares.h"

/* Times of one thread, or of one parallel region, in the scope. */
typedef struct {
    guint32 processor, thread; /* of a region: its rank with the lowest number; greatest number of its threads */
    guint32 site;              /* number of the call site of a region; 0 of a thread */
    gint64 count;              /* executions of a region */
    gint64 time_ns;            /* of the rank's run; of a region Σ of its executions */
    gint64 all_ns;             /* of a region: Σ of executions × threads */
    gint64 useful_ns, mpi_ns, idle_ns;
    gint64 most_ns; /* of a region: Σ of executions of the greatest useful time of a thread × threads */
} Times;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    GArray *rows; /* Times */
} Search;

/* @param is_part  TRUE: the time of the row is the sum of its spans */
static void add_time(Times *to, const HieraThreadSpan *span, gint64 time_ns, gboolean is_part)
{
    to->time_ns += is_part ? time_ns : 0;
    if (span->idles != HIERA_IDLE_NOT)
        to->idle_ns += time_ns;
    else if (span->doing == HIERA_DOES_COMPUTE)
        to->useful_ns += time_ns;
    else if (span->doing != HIERA_DOES_OWN)
        to->mpi_ns += time_ns;
}

/* --- by thread --- */

/* A thread is in teams without a break. */
typedef struct {
    gint64 begin_ns, end_ns;
    guint first, n; /* of its spans */
} Stay;

/* What counts as one thread. */
typedef struct {
    guint32 number, last; /* of its first and of its last thread */
    gint64 until_ns;      /* end of its last stay */
} Place;

static gint compare_stays(gconstpointer left, gconstpointer right)
{
    const Stay *a = left, *b = right;
    return a->begin_ns != b->begin_ns ? (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns)
                                      : (a->first > b->first) - (a->first < b->first);
}

/* Return the stays of all threads but the main thread, in order of time; to be freed with g_array_unref. */
static GArray *find_stays(const GArray *spans)
{
    GArray *stays = g_array_new(FALSE, FALSE, sizeof(Stay));
    for (guint i = 0; i < spans->len; i++) {
        const HieraThreadSpan *span = &g_array_index(spans, HieraThreadSpan, i);
        Stay *last = stays->len > 0 ? &g_array_index(stays, Stay, stays->len - 1) : NULL;
        const Stay stay = {span->begin_ns, span->end_ns, i, 1};
        if (span->thread == 0)
            continue;
        if (!last || span[-1].thread != span->thread || span->begin_ns > last->end_ns) {
            g_array_append_val(stays, stay);
            continue;
        }
        last->end_ns = MAX(last->end_ns, span->end_ns);
        last->n++;
    }
    g_array_sort(stays, compare_stays);
    return stays;
}

/* Return the place of a thread that comes: that where it was last if it is free, a new one if there are fewer than
 * `most`, or the one that is free for the longest time. */
static Place *choose_place(GArray *places, guint most, guint32 thread, gint64 begin_ns)
{
    const Place new = {thread, thread, begin_ns};
    guint longest = 0;
    for (guint i = 0; i < places->len; i++) {
        Place *place = &g_array_index(places, Place, i);
        if (place->last == thread && place->until_ns <= begin_ns)
            return place;
        if (place->until_ns < g_array_index(places, Place, longest).until_ns)
            longest = i;
    }
    if (places->len >= most)
        return &g_array_index(places, Place, longest);
    g_array_append_val(places, new);
    return &g_array_index(places, Place, places->len - 1);
}

GArray *hiera_thread_places_find(const HieraRankThreads *threads)
{
    GArray *spans = threads->spans;
    guint n = 1;
    for (guint i = 1; i < spans->len; i++)
        n += g_array_index(spans, HieraThreadSpan, i).thread != g_array_index(spans, HieraThreadSpan, i - 1).thread;
    if (n <= threads->n_threads)
        return g_array_ref(spans);
    g_autoptr(GArray) stays = find_stays(spans), places = g_array_new(FALSE, FALSE, sizeof(Place));
    spans = g_array_copy(spans);
    for (guint i = 0; i < stays->len; i++) {
        const Stay *stay = &g_array_index(stays, Stay, i);
        HieraThreadSpan *of = &g_array_index(spans, HieraThreadSpan, stay->first);
        Place *place = choose_place(places, threads->n_threads - 1, of->thread, stay->begin_ns);
        place->last = of->thread;
        place->until_ns = stay->end_ns;
        for (guint k = 0; k < stay->n; k++)
            of[k].thread = place->number;
    }
    g_array_sort(spans, hiera_thread_spans_compare);
    return spans;
}

static void add_threads(const Search *search, const HieraRankThreads *threads, guint32 processor)
{
    const HieraProcessor *of = &search->trace->processors[processor];
    g_autoptr(GArray) places = hiera_thread_places_find(threads);
    const HieraThreadSpan *spans = (const HieraThreadSpan *)places->data;
    gboolean has_units = hiera_scope_has_units(search->scope);
    gint64 time_ns = has_units ? 0 : hiera_scope_clip(search->scope, of->init_ns, of->finalize_ns);
    Times row = {.processor = processor, .time_ns = time_ns};
    for (guint i = 0; i < places->len; i++) {
        if (i > 0 && spans[i].thread != row.thread) {
            g_array_append_val(search->rows, row);
            row = (Times){.processor = processor, .thread = spans[i].thread, .time_ns = time_ns};
        }
        if (hiera_thread_span_unit(search->trace, search->scope, threads, &spans[i]) != HIERA_NONE)
            add_time(&row, &spans[i], hiera_scope_clip(search->scope, spans[i].begin_ns, spans[i].end_ns), has_units);
    }
    g_array_append_val(search->rows, row);
}

/* --- by region --- */

/* Add one execution of a region. @param spans  of teams; those from `first` on are its. @return the index behind them
 */
static guint add_team(const Search *search, const HieraRankThreads *threads, const GPtrArray *spans, guint32 processor,
                      guint first)
{
    const HieraThreadSpan *begin = g_ptr_array_index(spans, first), *last = begin;
    const HieraTeam *team = &g_array_index(threads->teams, HieraTeam, begin->team);
    Times row = {processor, team->n_threads, 0, 1, 0, 0, 0, 0, 0, 0};
    gint64 useful_ns = 0, most_ns = 0;
    guint i = first;
    row.site = hiera_trace_peek_site(search->trace, team->row)->id;
    row.time_ns = hiera_scope_clip(search->scope, team->begin_ns, team->end_ns);
    row.all_ns = row.time_ns * team->n_threads;
    for (; i < spans->len; i++) {
        const HieraThreadSpan *span = g_ptr_array_index(spans, i);
        if (span->team != begin->team)
            break;
        if (span->thread != last->thread)
            useful_ns = row.useful_ns;
        add_time(&row, span, hiera_scope_clip(search->scope, span->begin_ns, span->end_ns), FALSE);
        most_ns = MAX(most_ns, row.useful_ns - useful_ns);
        last = span;
    }
    row.most_ns = most_ns * team->n_threads;
    if (row.time_ns > 0 && hiera_row_unit(search->trace, search->scope, team->row) != HIERA_NONE)
        g_array_append_val(search->rows, row);
    return i;
}

static void add_regions(const Search *search, const HieraRankThreads *threads, guint32 processor)
{
    g_autoptr(GPtrArray) spans = hiera_team_spans_order(threads);
    for (guint i = 0; i < spans->len;)
        i = add_team(search, threads, spans, processor, i);
}

static gint compare_sites(gconstpointer left, gconstpointer right)
{
    const Times *a = left, *b = right;
    return a->site != b->site ? (a->site > b->site) - (a->site < b->site)
                              : (a->processor > b->processor) - (a->processor < b->processor);
}

/* Add up the rows of each region. */
static void join_regions(GArray *rows)
{
    guint n = 0;
    g_array_sort(rows, compare_sites);
    for (guint i = 0; i < rows->len; i++) {
        Times *row = &g_array_index(rows, Times, i), *last = &g_array_index(rows, Times, n > 0 ? n - 1 : 0);
        if (n == 0 || last->site != row->site) {
            g_array_index(rows, Times, n++) = *row;
            continue;
        }
        last->thread = MAX(last->thread, row->thread);
        last->count += row->count;
        last->time_ns = hiera_plus(last->time_ns, row->time_ns);
        last->all_ns = hiera_plus(last->all_ns, row->all_ns);
        last->useful_ns = hiera_plus(last->useful_ns, row->useful_ns);
        last->mpi_ns = hiera_plus(last->mpi_ns, row->mpi_ns);
        last->idle_ns = hiera_plus(last->idle_ns, row->idle_ns);
        last->most_ns = hiera_plus(last->most_ns, row->most_ns);
    }
    g_array_set_size(rows, n);
}

static gint compare_idles(gconstpointer left, gconstpointer right)
{
    const Times *a = left, *b = right;
    return a->idle_ns != b->idle_ns ? (a->idle_ns < b->idle_ns) - (a->idle_ns > b->idle_ns) : compare_sites(a, b);
}

/* --- both --- */

static GArray *find_rows(const HieraMatch *match, const HieraScope *scope, gboolean by_region)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    const Search search = {trace, scope, g_array_new(FALSE, FALSE, sizeof(Times))};
    for (guint32 i = 0; i < trace->n_processors; i++) {
        gboolean is_own = hiera_scope_accepts_rank(scope, trace->processors[i].rank) && hiera_scope_is_own(scope, i);
        const HieraRankThreads *threads = is_own ? hiera_rank_threads_of(match, i) : NULL;
        if (threads && by_region)
            add_regions(&search, threads, i);
        else if (threads)
            add_threads(&search, threads, i);
    }
    if (by_region)
        join_regions(search.rows);
    hiera_scope_gather_array(scope, trace, search.rows);
    return search.rows;
}

static gint compare_ranks(gconstpointer left, gconstpointer right)
{
    const Times *a = left, *b = right;
    return a->processor != b->processor ? (a->processor > b->processor) - (a->processor < b->processor)
                                        : (a->thread > b->thread) - (a->thread < b->thread);
}

static gint64 find_median(const GArray *rows)
{
    g_autofree gint64 *times = g_new(gint64, (gsize)rows->len + 1);
    for (guint i = 0; i < rows->len; i++)
        times[i] = g_array_index(rows, Times, i).useful_ns;
    return hiera_median_with_zeros(times, rows->len, rows->len);
}

static gboolean find_threads(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) rows = find_rows(match, scope, FALSE);
    g_array_sort(rows, compare_ranks);
    gint64 median_ns = find_median(rows);
    for (guint i = 0; hiera_scope_leads(scope) && i < rows->len; i++) {
        const Times *row = &g_array_index(rows, Times, i);
        gint64 outside_ns = row->time_ns - row->useful_ns - row->mpi_ns - row->idle_ns;
        hiera_table_add(table, (HieraCell[]){{.number = trace->processors[row->processor].rank},
                                             {.number = row->thread},
                                             {.number = row->useful_ns},
                                             {.number = row->mpi_ns},
                                             {.number = row->idle_ns},
                                             {.number = outside_ns},
                                             {.number = hiera_ratio(row->useful_ns, row->time_ns)},
                                             {.number = row->useful_ns - median_ns},
                                             {.number = hiera_ratio(row->useful_ns, median_ns)}});
    }
    hiera_threads_limit(trace, scope, table);
    return TRUE;
}

static gboolean find_regions(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GArray) rows = find_rows(match, scope, TRUE);
    join_regions(rows);
    g_array_sort(rows, compare_idles);
    for (guint i = 0; hiera_scope_leads(scope) && i < rows->len; i++) {
        const Times *row = &g_array_index(rows, Times, i);
        const HieraSite *site = hiera_catalog_peek_site(trace->catalog, row->site);
        hiera_table_add(table, (HieraCell[]){{.text = site->short_file},
                                             {.number = site->line},
                                             {.number = row->thread},
                                             {.number = row->count},
                                             {.number = row->time_ns},
                                             {.number = row->useful_ns},
                                             {.number = row->mpi_ns},
                                             {.number = row->idle_ns},
                                             {.number = hiera_ratio(row->useful_ns, row->all_ns)},
                                             {.number = hiera_ratio(row->useful_ns, row->most_ns)}});
    }
    hiera_threads_limit(trace, scope, table);
    return TRUE;
}

static const HieraColumn thread_columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},      {"thread", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},         {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"idle", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},           {"outside", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"efficiency", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING}, {"apart", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"factor", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
};
static const HieraColumn region_columns[] = {
    {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"threads", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"idle", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"efficiency", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    {"load-balance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
};

#define FORM(measure, of, way)                                                                                         \
    {                                                                                                                  \
        .name = measure, .nothing = HIERA_THREADS_NOTHING, .columns = of, .n_columns = G_N_ELEMENTS(of),               \
        .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER, .find = way                                           \
    }
const HieraMeasure hiera_threads_by_thread = FORM("threads", thread_columns, find_threads);
const HieraMeasure hiera_imbalance_by_thread = FORM("imbalance", thread_columns, find_threads);
const HieraMeasure hiera_threads_by_region = FORM("threads", region_columns, find_regions);
