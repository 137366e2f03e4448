/* Imbalance: how much the times of the ranks on each call path differ. */
#include "imbalance.h"
#include "calls/path_rows.h"
#include "calls/summed_paths.h"
#include "measures.h"
#include "threads/rank_threads.h"
#include "threads/thread_forms.h"
#include "values/outermost.h"
#include "values/shares.h"
#include "values/unrecorded.h"

#define WORDS "path,rank,thread,region,table,group,plane,coordinates"

static const HieraColumn path_columns[] = {
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_KEY},          {"level", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"kind", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},          {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"median", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},     {"max", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"imbalance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING}, {"overload", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"factor", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},    {"longest", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},
};
static const HieraColumn table_columns[] = {
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_KEY}, {"level", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"kind", HIERA_CELL_TEXT, HIERA_ROLE_KEY},    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM}, {"factor", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
};

/* How much the times of the ranks on a call path differ. */
typedef struct {
    const HieraPathRow *row;
    HieraTimeSpread of;
} Spread;

typedef struct {
    HieraPathRows rows;
    guint n_ranks;
    GArray *spreads; /* Spread, sorted by overload, greatest first */
} Search;

/* Return Σ max(0, t − mean) over n times, rounded down. */
static gint64 overload_of(const gint64 *times, guint n_times, guint n, gint64 sum_ns)
{
    __int128 above = 0;
    for (guint i = 0; i < n_times; i++)
        above += MAX((__int128)times[i] * n - sum_ns, 0);
    return (gint64)MIN(above / n, (__int128)HIERA_TOO_LARGE);
}

HieraTimeSpread hiera_time_spread_find(gint64 *times, guint n_times, guint n, gint64 sum_ns)
{
    gboolean is_known = sum_ns != HIERA_TOO_LARGE;
    HieraTimeSpread spread = {is_known ? sum_ns / n : sum_ns, 0, 0,
                              is_known ? overload_of(times, n_times, n, sum_ns) : sum_ns};
    for (guint i = 0; i < n_times; i++)
        spread.max_ns = MAX(spread.max_ns, times[i]);
    spread.median_ns = hiera_median_with_zeros(times, n_times, n);
    return spread;
}

static Spread spread_of(const HieraPathRow *row, guint n)
{
    guint n_shares = row->shares->len;
    g_autofree gint64 *times = g_new(gint64, (gsize)n_shares + 1);
    for (guint i = 0; i < n_shares; i++)
        times[i] = g_array_index(row->shares, HieraShare, i).time_ns;
    return (Spread){row, hiera_time_spread_find(times, n_shares, n, row->time_ns)};
}

/* Sort by overload, greatest first; if equal, in the order of the path rows, which have most time first. */
static gint compare_spreads(gconstpointer left, gconstpointer right)
{
    const Spread *a = left, *b = right;
    return a->of.overload_ns != b->of.overload_ns
               ? (a->of.overload_ns < b->of.overload_ns) - (a->of.overload_ns > b->of.overload_ns)
               : (a->row > b->row) - (a->row < b->row);
}

static void add_span(const HieraTimeSpan *span, gpointer data)
{
    (void)hiera_path_rows_add(&((Search *)data)->rows, span->doing, span);
}

static void begin_rank(guint32 processor, gpointer data)
{
    Search *search = data;
    hiera_summed_paths_add(&search->rows, processor, hiera_site_does_outside);
}

/* Remove ranks with time ≤ 0 from a row. */
static void drop_nothing(HieraPathRow *row)
{
    guint kept = 0;
    gint64 time_ns = 0;
    for (guint i = 0; i < row->shares->len; i++) {
        HieraShare share = g_array_index(row->shares, HieraShare, i);
        if (share.time_ns <= 0)
            continue;
        g_array_index(row->shares, HieraShare, kept++) = share;
        time_ns = hiera_plus(time_ns, share.time_ns);
    }
    g_array_set_size(row->shares, kept);
    row->time_ns = time_ns;
}

static void search_init(Search *search, const HieraTrace *trace, const HieraScope *scope)
{
    *search = (Search){.spreads = g_array_new(FALSE, FALSE, sizeof(Spread))};
    for (guint32 i = 0; i < trace->n_processors; i++)
        search->n_ranks += hiera_scope_accepts_rank(scope, trace->processors[i].rank);
    hiera_path_rows_init(&search->rows, trace, scope, begin_rank, hiera_idle_timeline_visit, add_span, search);
    hiera_path_rows_gather(&search->rows);
    for (guint i = 0; hiera_scope_leads(scope) && i < search->rows.rows->len; i++) {
        HieraPathRow *row = &g_array_index(search->rows.rows, HieraPathRow, i);
        drop_nothing(row);
        Spread spread = spread_of(row, search->n_ranks);
        if (row->shares->len > 0)
            g_array_append_val(search->spreads, spread);
    }
    g_array_sort(search->spreads, compare_spreads);
}

static void search_clear(Search *search)
{
    hiera_path_rows_clear(&search->rows);
    g_array_unref(search->spreads);
}

/* Fill the three cells path, level and kind of a row. */
static void name_row(const Search *search, const HieraPathRow *row, HieraTable *table, HieraCell *cells)
{
    HieraCell own[HIERA_N_PATH_COLUMNS];
    hiera_path_rows_cells(&search->rows, row, table, own);
    cells[0] = own[0], cells[1] = own[1], cells[2] = own[3];
}

static void add_path(const Search *search, const Spread *spread, HieraTable *table)
{
    HieraCell cells[G_N_ELEMENTS(path_columns)];
    const HieraTimeSpread *of = &spread->of;
    name_row(search, spread->row, table, cells);
    cells[3].number = of->mean_ns;
    cells[4].number = of->median_ns;
    cells[5].number = of->max_ns;
    cells[6].number = hiera_imbalance(spread->row->time_ns, search->n_ranks, of->max_ns);
    cells[7].number = of->overload_ns;
    cells[8].number = hiera_ratio(of->max_ns, of->median_ns);
    cells[9].text =
        hiera_shares_name_ranks(spread->row->shares, search->rows.paths.trace, hiera_time_spread_nearer(of), table);
    hiera_table_add(table, cells);
}

static void add_ranks(const Search *search, const Spread *spread, HieraTable *table)
{
    const HieraTrace *trace = search->rows.paths.trace;
    HieraCell cells[G_N_ELEMENTS(table_columns)];
    name_row(search, spread->row, table, cells);
    for (guint i = 0; i < spread->row->shares->len; i++) {
        const HieraShare *share = &g_array_index(spread->row->shares, HieraShare, i);
        cells[3].number = trace->processors[share->processor].rank;
        cells[4].number = share->time_ns;
        cells[5].number = hiera_ratio(share->time_ns, spread->of.median_ns);
        hiera_table_add(table, cells);
    }
}

void hiera_imbalance_limit(const HieraTrace *trace, const HieraScope *scope, HieraTable *table)
{
    hiera_main_threads_limit(
        trace, scope, "imbalance: only main threads count; --by thread and --by region have all threads of OpenMP",
        HIERA_ONLY_MAIN_THREADS("imbalance"), table);
    hiera_unrecorded_limit(trace, scope, table);
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    Search search;
    HieraScope place = *scope;
    gboolean whole = hiera_scope_find_by(scope, WORDS) == 4;
    place.options.by = NULL;
    search_init(&search, hiera_match_peek_trace(match), &place);
    for (guint i = 0; i < search.spreads->len; i++)
        (whole ? add_ranks : add_path)(&search, &g_array_index(search.spreads, Spread, i), table);
    search_clear(&search);
    hiera_imbalance_limit(hiera_match_peek_trace(match), scope, table);
    return TRUE;
}

#define FORM(of)                                                                                                       \
    {                                                                                                                  \
        .name = "imbalance", .columns = of, .n_columns = G_N_ELEMENTS(of),                                             \
        .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_SUMS | HIERA_MEASURE_TOGETHER, .find = find                     \
    }
static const HieraMeasure by_path = FORM(path_columns), by_table = FORM(table_columns);
static const HieraMeasure *const forms[] = {
    &by_path,  &hiera_imbalance_by_rank,  &hiera_imbalance_by_thread, &hiera_imbalance_by_region,
    &by_table, &hiera_imbalance_by_group, &hiera_imbalance_by_plane,  &hiera_imbalance_by_coordinates};

const HieraMeasure hiera_measure_imbalance = {
    .name = "imbalance",
    .help = "ranks or threads unlike the others, and where; groups that behave alike",
    .by = WORDS,
    .forms = forms,
};
