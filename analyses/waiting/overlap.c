/* Non-blocking operations: how long they are in flight, how much of that time is overlapped by computation, and how
 * much of that computation lies between tests. */
#include "calls/packed_nodes.h"
#include "measures.h"
#include "values/outermost.h"
#include "values/shares.h"

static const HieraColumn columns[] = {
    {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},     {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},       {"path", HIERA_CELL_CALLERS, HIERA_ROLE_DETAIL},
    {"processors", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL}, {"requests", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},
    {"flight", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},     {"hidden", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"polling", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},    {"waited", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
};

/* Row of the answer: all requests that are started in one call path (node). */
typedef struct {
    guint32 node;
    gint64 requests, flight_ns, hidden_ns, polling_ns, waited_ns;
    GArray *shares; /* HieraShare: ranks that start them; their times are 0 */
} Row;

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraCallPaths paths;
    gint64 *mpi_ns;      /* by row: time in MPI, within the scope, of the row's thread until the end of the row */
    GHashTable *polling; /* row that starts a request → Polling; only for requests that a test found incomplete */
    GArray *places;      /* guint32 by node: 1 + index in `rows`; 0: none */
    GArray *rows;        /* Row */
} Search;

static void row_clear(gpointer row)
{
    g_array_unref(((Row *)row)->shares);
}

/* --- time in MPI --- */

/* Set `mpi_ns` for the rows of a processor. */
static void add_up(const Search *search, const HieraProcessor *processor)
{
    g_autoptr(GHashTable) sums = g_hash_table_new_full(NULL, NULL, NULL, g_free); /* thread → gint64: MPI time so far */
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

/* Return the part of a request's flight in which its thread was outside of MPI, between `start` and `completion`. */
static gint64 hidden_between(const Search *search, guint32 start, guint32 completion, gint64 flight_ns)
{
    const HieraTrace *trace = search->trace;
    if (trace->thread[start] != trace->thread[completion])
        return 0;
    gint64 own_ns = hiera_scope_clip(search->scope, trace->start_ns[completion], trace->finish_ns[completion]);
    gint64 in_mpi_ns = hiera_minus(hiera_minus(search->mpi_ns[completion], own_ns), search->mpi_ns[start]);
    return CLAMP(hiera_minus(flight_ns, in_mpi_ns), 0, flight_ns);
}

/* --- time between tests --- */

/* What is known of a request from the tests that found it incomplete. */
typedef struct {
    guint32 last;  /* row of the last such test */
    gint64 sum_ns; /* time outside of MPI between the first and the last such test */
} Polling;

/* Successive tests of the same requests: the time between these tests is added to each request at the end. */
typedef struct {
    const Search *search;
    GArray *starts; /* guint32: rows that start the tested requests */
    guint32 first, last;
    gint64 sum_ns; /* time outside of MPI between the tests `first` and `last` */
} Polls;

static gint64 outside_between(const Search *search, guint32 first, guint32 second)
{
    const HieraTrace *trace = search->trace;
    gint64 ns = hiera_scope_clip(search->scope, trace->finish_ns[first], trace->start_ns[second]);
    return hidden_between(search, first, second, ns);
}

static void end_polls(Polls *polls)
{
    for (guint i = 0; i < polls->starts->len; i++) {
        gpointer key = GUINT_TO_POINTER(g_array_index(polls->starts, guint32, i));
        Polling *polling = g_hash_table_lookup(polls->search->polling, key);
        gint64 before_ns = polling ? outside_between(polls->search, polling->last, polls->first) : 0;
        if (!polling)
            g_hash_table_insert(polls->search->polling, key, polling = g_new0(Polling, 1));
        polling->last = polls->last;
        polling->sum_ns = hiera_plus(polling->sum_ns, hiera_plus(before_ns, polls->sum_ns));
    }
    g_array_set_size(polls->starts, 0);
}

static void add_test(const HieraTestInVain *test, gpointer user)
{
    Polls *polls = user;
    if (test->again) {
        polls->sum_ns = hiera_plus(polls->sum_ns, outside_between(polls->search, polls->last, test->row));
    } else {
        end_polls(polls);
        g_array_append_vals(polls->starts, test->starts, test->n);
        polls->first = test->row;
        polls->sum_ns = 0;
    }
    polls->last = test->row;
}

static void find_polling(const Search *search)
{
    g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(guint32));
    Polls polls = {.search = search, .starts = starts};
    hiera_match_visit_tests(search->match, add_test, &polls);
    end_polls(&polls);
}

/* Return how long a thread was outside of MPI between the tests of a request, up to the call that completed it. */
static gint64 polling_of(const Search *search, const HieraPair *pair)
{
    const Polling *polling = g_hash_table_lookup(search->polling, GUINT_TO_POINTER(pair->start));
    return polling ? hiera_plus(polling->sum_ns, outside_between(search, polling->last, pair->completion)) : 0;
}

/* --- rows of the table --- */

static guint32 *place_of(const Search *search, guint32 node)
{
    if (node >= search->places->len)
        g_array_set_size(search->places, node + 1);
    return &g_array_index(search->places, guint32, node);
}

static Row *find_row(const Search *search, guint32 node)
{
    guint32 *place = place_of(search, node);
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
    gint64 hidden_ns = hidden_between(search, pair->start, pair->completion, flight_ns);
    row->hidden_ns = hiera_plus(row->hidden_ns, hidden_ns);
    row->polling_ns = hiera_plus(row->polling_ns, MIN(polling_of(search, pair), hidden_ns));
    row->waited_ns = hiera_plus(row->waited_ns, waited_ns);
    hiera_shares_add(row->shares, hiera_trace_find_processor(trace, pair->start), 0);
}

/* Sort by waiting, longest first; then by time in flight, longest first; then by node, in the order of discovery. */
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
    hiera_table_add(table,
                    (HieraCell[]){{.text = site ? site->operation : ""},
                                  {.text = site ? site->short_file : ""},
                                  {.number = site ? site->line : 0},
                                  {.text = hiera_call_paths_text(&search->paths, row->node, table)},
                                  {.text = hiera_shares_name_ranks(row->shares, search->trace, 0, table)},
                                  {.number = row->requests},
                                  {.number = row->flight_ns},
                                  {.number = row->hidden_ns},
                                  {.number = row->polling_ns},
                                  {.number = row->waited_ns},
                                  {.number = hiera_ratio(row->hidden_ns, hiera_plus(row->flight_ns, row->waited_ns))}});
}

static Search search_new(const HieraMatch *match, const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
    g_array_set_clear_func(rows, row_clear);
    return (Search){match,
                    trace,
                    scope,
                    {0},
                    NULL,
                    g_hash_table_new_full(NULL, NULL, NULL, g_free),
                    g_array_new(FALSE, TRUE, sizeof(guint32)),
                    rows};
}

static void search_clear(Search *search)
{
    hiera_call_paths_clear(&search->paths);
    g_free(search->mpi_ns);
    g_hash_table_unref(search->polling);
    g_array_unref(search->places);
    g_array_unref(search->rows);
}

/* Make the rows of the requests of this process's own processors. */
static void search_requests(Search *search)
{
    guint n;
    const HieraTrace *trace = search->trace;
    const HieraPair *pairs = hiera_match_peek_pairs(search->match, HIERA_PAIRS_REQUEST, &n);
    search->mpi_ns = g_new(gint64, (gsize)trace->n_operations + 1);
    for (guint32 i = 0; i < trace->n_processors; i++)
        add_up(search, &trace->processors[i]);
    find_polling(search);
    hiera_call_paths_init(&search->paths, trace, search->scope);
    for (guint i = 0; i < n; i++)
        add_request(search, &pairs[i]);
}

static void add_rows(const Search *search, HieraTable *table)
{
    g_array_sort(search->rows, compare_rows);
    for (guint i = 0; i < search->rows->len; i++)
        add_row(search, &g_array_index(search->rows, Row, i), table);
}

/* --- several processes: process 0 gets the rows of all --- */

/* Replace the nodes of this process in the rows by those of all processes. */
static void unite(Search *search)
{
    g_autofree guint32 *to = hiera_nodes_unite(&search->paths, search->scope);
    g_array_set_size(search->places, 0);
    for (guint i = 0; i < search->rows->len; i++) {
        Row *row = &g_array_index(search->rows, Row, i);
        row->node = to[row->node];
        *place_of(search, row->node) = i + 1;
    }
}

static void pack_rows(HieraPacker *to, gpointer user)
{
    const GArray *rows = ((const Search *)user)->rows;
    hiera_pack_number(to, rows->len);
    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        const gint64 numbers[] = {row->node,      row->requests,   row->flight_ns,
                                  row->hidden_ns, row->polling_ns, row->waited_ns};
        hiera_pack_bytes(to, numbers, sizeof numbers);
        hiera_shares_pack(row->shares, to);
    }
}

static void unpack_rows(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        gint64 numbers[6];
        hiera_unpack_bytes(from, numbers, sizeof numbers);
        Row *row = find_row(user, (guint32)numbers[0]);
        row->requests += numbers[1];
        row->flight_ns = hiera_plus(row->flight_ns, numbers[2]);
        row->hidden_ns = hiera_plus(row->hidden_ns, numbers[3]);
        row->polling_ns = hiera_plus(row->polling_ns, numbers[4]);
        row->waited_ns = hiera_plus(row->waited_ns, numbers[5]);
        hiera_shares_unpack(from, row->shares);
    }
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    Search search = search_new(match, scope);
    search_requests(&search);
    unite(&search);
    hiera_scope_gather_others(scope, search.trace, pack_rows, unpack_rows, &search);
    for (guint i = 0; i < search.rows->len; i++)
        hiera_shares_settle(g_array_index(search.rows, Row, i).shares);
    if (hiera_scope_leads(scope))
        add_rows(&search, table);
    search_clear(&search);
    return TRUE;
}

const HieraMeasure hiera_measure_overlap = {
    .name = "overlap",
    .nothing = "no non-blocking operation is posted and completed",
    .help = "non-blocking operations: in flight, hidden, waited for",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_TOGETHER,
    .find = find,
};
