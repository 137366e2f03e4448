/* Non-blocking operations: how long they are in flight, and how much of that computation hides. */
#include "calls/call_paths.h"
#include "measures.h"
#include "values/outermost.h"
#include "values/shares.h"

static const HieraColumn columns[] = {
    {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},     {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},       {"path", HIERA_CELL_CALLERS, HIERA_ROLE_DETAIL},
    {"processors", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}, {"requests", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"flight", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},     {"hidden", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"waited", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},     {"share", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
};

/* All requests that are posted below one node of the call paths. */
typedef struct {
    guint32 node;
    gint64 requests, flight_ns, hidden_ns, waited_ns;
    GArray *shares; /* HieraShare: ranks; the time is not used */
} Row;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraCallPaths paths;
    gint64 *mpi_ns; /* by row: time in the scope that its thread has spent in MPI until the row ends */
    GArray *places; /* guint32: index + 1 of the row of the answer, by node */
    GArray *rows;   /* Row */
} Search;

static void row_clear(gpointer row)
{
    g_array_unref(((Row *)row)->shares);
}

/* --- time in MPI --- */

/* Fill `mpi_ns` for a processor. */
static void add_up(const Search *search, const HieraProcessor *processor)
{
    g_autoptr(GHashTable) sums = g_hash_table_new_full(NULL, NULL, NULL, g_free); /* thread → gint64 */
    const HieraTrace *trace = search->trace;
    HieraInside mpi = HIERA_OUTSIDE;
    gint64 *sum = NULL;
    guint32 thread = HIERA_NONE;
    for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++) {
        if (!sum || trace->thread[row] != thread) {
            gpointer key = GUINT_TO_POINTER(thread = trace->thread[row]);
            sum = g_hash_table_lookup(sums, key);
            if (!sum)
                g_hash_table_insert(sums, key, sum = g_new0(gint64, 1));
        }
        if (!hiera_inside_holds(&mpi, trace->depth[row], thread) && hiera_trace_peek_site(trace, (guint32)row)->mpi) {
            hiera_inside_enter(&mpi, trace->depth[row], thread);
            *sum = hiera_plus(*sum, hiera_scope_clip(search->scope, trace->start_ns[row], trace->finish_ns[row]));
        }
        search->mpi_ns[row] = *sum;
    }
}

/* Return how long a thread computes between two of its calls. */
static gint64 hidden_between(const Search *search, guint32 start, guint32 completion, gint64 flight_ns)
{
    const HieraTrace *trace = search->trace;
    if (trace->thread[start] != trace->thread[completion])
        return 0;
    gint64 own_ns = hiera_scope_clip(search->scope, trace->start_ns[completion], trace->finish_ns[completion]);
    gint64 in_mpi_ns = hiera_minus(hiera_minus(search->mpi_ns[completion], own_ns), search->mpi_ns[start]);
    return CLAMP(hiera_minus(flight_ns, in_mpi_ns), 0, flight_ns);
}

/* --- rows --- */

static Row *find_row(const Search *search, guint32 node)
{
    if (node >= search->places->len)
        g_array_set_size(search->places, node + 1);
    guint32 *place = &g_array_index(search->places, guint32, node);
    if (*place == 0) {
        Row row = {.node = node, .shares = g_array_new(FALSE, FALSE, sizeof(HieraShare))};
        g_array_append_val(search->rows, row);
        *place = search->rows->len;
    }
    return &g_array_index(search->rows, Row, *place - 1);
}

static void add_request(const Search *search, const HieraPair *pair)
{
    const HieraTrace *trace = search->trace;
    guint32 node = search->paths.node[pair->start];
    gint64 posted_ns = trace->finish_ns[pair->start], ends_ns = trace->start_ns[pair->completion];
    if (node == 0 ||
        !hiera_scope_touches(search->scope, trace->start_ns[pair->start], trace->finish_ns[pair->completion]))
        return;
    Row *row = find_row(search, node);
    gint64 flight_ns = hiera_scope_clip(search->scope, posted_ns, ends_ns);
    gint64 waited_ns = hiera_scope_clip(search->scope, ends_ns, trace->finish_ns[pair->completion]);
    row->requests++;
    row->flight_ns = hiera_plus(row->flight_ns, flight_ns);
    row->hidden_ns = hiera_plus(row->hidden_ns, hidden_between(search, pair->start, pair->completion, flight_ns));
    row->waited_ns = hiera_plus(row->waited_ns, waited_ns);
    hiera_shares_add(row->shares, hiera_trace_find_processor(trace, pair->start), 0);
}

/* The one that is waited for longest first; then the one that is in flight longest, then the one met first. */
static gint compare_rows(gconstpointer left, gconstpointer right)
{
    const Row *a = left, *b = right;
    if (a->waited_ns != b->waited_ns)
        return a->waited_ns < b->waited_ns ? 1 : -1;
    if (a->flight_ns != b->flight_ns)
        return a->flight_ns < b->flight_ns ? 1 : -1;
    return (a->node > b->node) - (a->node < b->node);
}

static void add_row(const Search *search, const Row *row, HieraTable *table)
{
    const HieraSite *site = hiera_call_paths_site(&search->paths, row->node);
    hiera_table_add(
        table, (HieraCell[]){{.text = site ? site->operation : ""},
                             {.text = site ? site->short_file : ""},
                             {.number = site ? site->line : 0},
                             {.text = hiera_call_paths_text(&search->paths, row->node, table)},
                             {.text = hiera_shares_name_ranks(row->shares, search->trace, 0, table)},
                             {.number = row->requests},
                             {.number = row->flight_ns},
                             {.number = row->hidden_ns},
                             {.number = row->waited_ns},
                             {.number = hiera_percent(row->hidden_ns, hiera_plus(row->flight_ns, row->waited_ns))}});
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    guint n;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    const HieraPair *pairs = hiera_match_peek_pairs(match, HIERA_PAIRS_REQUEST, &n);
    g_autofree gint64 *mpi_ns = g_new(gint64, (gsize)trace->n_operations + 1);
    g_autoptr(GArray) places = g_array_new(FALSE, TRUE, sizeof(guint32)), rows = g_array_new(FALSE, FALSE, sizeof(Row));
    Search search = {trace, scope, {0}, mpi_ns, places, rows};
    g_array_set_clear_func(rows, row_clear);
    for (guint32 i = 0; i < trace->n_processors; i++)
        add_up(&search, &trace->processors[i]);
    hiera_call_paths_init(&search.paths, trace, scope);
    for (guint i = 0; i < n; i++)
        add_request(&search, &pairs[i]);
    g_array_sort(rows, compare_rows);
    for (guint i = 0; i < rows->len; i++)
        add_row(&search, &g_array_index(rows, Row, i), table);
    hiera_call_paths_clear(&search.paths);
    return TRUE;
}

const HieraMeasure hiera_measure_overlap = {
    .name = "overlap",
    .help = "non-blocking operations: in flight, hidden, waited for",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_MATCH,
    .ordered = TRUE,
    .find = find,
};
