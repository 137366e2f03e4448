/* What the ranks do over the run: useful computation, MPI and files in each of some equal parts of it.
 *
 * Where the parts begin is known when all traces are read, so the spans of the main threads are kept until then, 16
 * bytes each; there are two for an MPI call. */
#include "calls/activity.h"
#include "measures.h"

#define WORDS        "all,rank"
#define BINS_DEFAULT 20

#define TIME_COLUMNS                                                                                                   \
    {"from", HIERA_CELL_SECONDS, HIERA_ROLE_KEY}, {"to", HIERA_CELL_SECONDS, HIERA_ROLE_KEY},                          \
        {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},             \
        {"io", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"useful_share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},           \
        {"mpi_share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM}, {"io_share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},           \
        {"bar", HIERA_CELL_BAR, HIERA_ROLE_TELLING},
static const HieraColumn all_columns[] = {TIME_COLUMNS};
static const HieraColumn rank_columns[] = {{"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, TIME_COLUMNS};

typedef struct {
    gint64 start_ns, finish_ns;
} Span;

/* One processor. */
typedef struct {
    guint32 rank;
    HieraActivities activities;
    GArray *spans[HIERA_N_ACTIVITIES]; /* Span, by time */
} Rank;

typedef struct {
    const HieraScope *scope;
    gboolean by_rank;
    gint64 first_ns, last_ns; /* least init, greatest finalize */
    GPtrArray *ranks;         /* Rank */
} OverTime;

/* --- spans --- */

static void rank_free(gpointer data)
{
    Rank *rank = data;
    for (guint i = 0; i < HIERA_N_ACTIVITIES; i++)
        g_array_unref(rank->spans[i]);
    g_free(rank);
}

static void add_span(HieraActivity activity, gint64 start_ns, gint64 finish_ns, gpointer rank)
{
    Span span = {start_ns, finish_ns};
    g_array_append_val(((Rank *)rank)->spans[activity], span);
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    Rank *rank = g_new0(Rank, 1);
    rank->rank = processor->rank;
    for (guint i = 0; i < HIERA_N_ACTIVITIES; i++)
        rank->spans[i] = g_array_new(FALSE, FALSE, sizeof(Span));
    hiera_activities_begin(&rank->activities, scope, processor, add_span, rank);
    return rank;
}

static void operation(gpointer rank, const HieraOperation *operation)
{
    hiera_activities_add(&((Rank *)rank)->activities, operation);
}

static gpointer open_all(const HieraScope *scope)
{
    OverTime *all = g_new0(OverTime, 1);
    *all = (OverTime){scope, hiera_scope_find_by(scope, WORDS) == 1, G_MAXINT64, G_MININT64,
                      g_ptr_array_new_with_free_func(rank_free)};
    return all;
}

static void merge(gpointer data, gpointer rank, const HieraProcessor *processor, gboolean keep)
{
    OverTime *all = data;
    if (!keep) {
        rank_free(rank);
        return;
    }
    hiera_activities_end(&((Rank *)rank)->activities, processor);
    all->first_ns = MIN(all->first_ns, processor->init_ns);
    all->last_ns = MAX(all->last_ns, processor->finalize_ns);
    g_ptr_array_add(all->ranks, rank);
}

/* --- bins --- */

/* Time of each activity in a part of the run. */
typedef struct {
    gint64 ns[HIERA_N_ACTIVITIES];
} Sums;

/* Parts of the run that are equal to the nanosecond. */
typedef struct {
    gint64 first_ns, length_ns;
    guint n;
    Sums *sums;
} Bins;

static gint64 edge(const Bins *bins, guint bin)
{
    return bins->first_ns + (gint64)((__int128)bins->length_ns * bin / bins->n);
}

/* Return the bin of a time inside the bins. */
static guint find_bin(const Bins *bins, gint64 ns)
{
    guint bin = (guint)((__int128)(ns - bins->first_ns) * bins->n / bins->length_ns);
    while (bin + 1 < bins->n && edge(bins, bin + 1) <= ns)
        bin++;
    return bin;
}

static void fill_span(const Bins *bins, HieraActivity activity, const Span *span)
{
    gint64 start_ns = MAX(span->start_ns, bins->first_ns), finish_ns = MIN(span->finish_ns, edge(bins, bins->n));
    if (finish_ns <= start_ns)
        return;
    for (guint bin = find_bin(bins, start_ns); bin < bins->n && edge(bins, bin) < finish_ns; bin++) {
        gint64 inside_ns = MIN(finish_ns, edge(bins, bin + 1)) - MAX(start_ns, edge(bins, bin));
        bins->sums[bin].ns[activity] = hiera_plus(bins->sums[bin].ns[activity], MAX(inside_ns, 0));
    }
}

static void fill(const Bins *bins, const Rank *rank)
{
    for (guint activity = 0; activity < HIERA_N_ACTIVITIES; activity++)
        for (guint i = 0; i < rank->spans[activity]->len; i++)
            fill_span(bins, (HieraActivity)activity, &g_array_index(rank->spans[activity], Span, i));
}

/* Hundredths of a percent that a time is of the time of n ranks in a bin. */
static gint64 share_of(gint64 time_ns, gint64 width_ns, guint n)
{
    __int128 whole = (__int128)width_ns * n;
    return time_ns == HIERA_TOO_LARGE ? time_ns
           : whole > 0                ? (gint64)(((__int128)time_ns * 10000 + whole / 2) / whole)
                                      : 0;
}

/* Add the rows of n ranks together, and empty the bins. @param rank  NULL: of all */
static void add_rows(HieraTable *table, const Bins *bins, const Rank *rank, guint n)
{
    HieraCell cells[G_N_ELEMENTS(rank_columns)];
    for (guint bin = 0; bin < bins->n; bin++) {
        HieraCell *cell = cells;
        gint64 from_ns = edge(bins, bin), to_ns = edge(bins, bin + 1), *sums = bins->sums[bin].ns;
        if (rank)
            (cell++)->number = rank->rank;
        (cell++)->number = from_ns;
        (cell++)->number = to_ns;
        for (guint i = 0; i < HIERA_N_ACTIVITIES; i++)
            (cell++)->number = sums[i];
        for (guint i = 0; i < HIERA_N_ACTIVITIES; i++)
            (cell++)->number = share_of(sums[i], to_ns - from_ns, n);
        cell->number = share_of(sums[HIERA_ACTIVITY_USEFUL], to_ns - from_ns, n);
        hiera_table_add(table, cells);
        for (guint i = 0; i < HIERA_N_ACTIVITIES; i++)
            sums[i] = 0;
    }
}

static void add_all(const OverTime *all, HieraTable *table)
{
    gint64 first_ns = MAX(all->first_ns, all->scope->from_ns), last_ns = MIN(all->last_ns, all->scope->to_ns);
    gint64 length_ns = hiera_minus(last_ns, first_ns);
    if (all->ranks->len == 0 || length_ns <= 0)
        return;
    Bins bins = {first_ns, length_ns, all->scope->bins ? all->scope->bins : BINS_DEFAULT, NULL};
    bins.n = (guint)MIN(bins.n, length_ns);
    g_autofree Sums *sums = bins.sums = g_new0(Sums, bins.n);
    for (guint i = 0; i < all->ranks->len; i++) {
        fill(&bins, all->ranks->pdata[i]);
        if (all->by_rank)
            add_rows(table, &bins, all->ranks->pdata[i], 1);
    }
    if (!all->by_rank)
        add_rows(table, &bins, NULL, all->ranks->len);
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    OverTime *all = data;
    if (table)
        add_all(all, table);
    g_ptr_array_unref(all->ranks);
    g_free(all);
}

#define FORM(of)                                                                                                       \
    {                                                                                                                  \
        .name = "over-time", .bins = TRUE, .columns = of, .n_columns = G_N_ELEMENTS(of),                               \
        .protocol = HIERA_PROTOCOL_JOB, .whole = TRUE, .begin = begin, .operation = operation, .open = open_all,       \
        .merge = merge, .close = close_all                                                                             \
    }
static const HieraMeasure of_all = FORM(all_columns), by_rank = FORM(rank_columns);
static const HieraMeasure *const forms[] = {&of_all, &by_rank};

const HieraMeasure hiera_measure_over_time = {
    .name = "over-time",
    .help = "computation, MPI and files in each part of the run",
    .by = WORDS,
    .forms = forms,
};
