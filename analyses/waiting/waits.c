/* Where ranks wait for others: one row for each class of waiting and call path, the longest first. */
#include "calls/packed_nodes.h"
#include "clock_doubts.h"
#include "measured_waits.h"
#include "measures.h"
#include "values/shares.h"
#include "waiting.h"

static const HieraColumn columns[] = {
    {"class", HIERA_CELL_TEXT, HIERA_ROLE_KEY},       {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},        {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"path", HIERA_CELL_CALLERS, HIERA_ROLE_DETAIL},  {"processors", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},    {"worst", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING},
    {"unsure", HIERA_CELL_SECONDS, HIERA_ROLE_DOUBT},
};

/* Row of the answer: all waits of one class in one call path (node). */
typedef struct {
    guint32 node;
    guint8 class;
    gint64 count, time_ns, worst_ns, unsure_ns;
    GArray *shares; /* HieraShare: waiting time, by processor */
} Row;

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    HieraCallPaths paths;
    HieraClockDoubts doubts;
    GHashTable *places; /* (node, class) → index in `rows` + 1 */
    GArray *rows;       /* Row */
} Search;

static void row_clear(gpointer row)
{
    g_array_unref(((Row *)row)->shares);
}

static gpointer key_of(guint32 node, guint8 class)
{
    return GSIZE_TO_POINTER((gsize)node * HIERA_N_WAITS + class);
}

static Row *find_row(const Search *search, guint32 node, guint8 class)
{
    gpointer key = key_of(node, class);
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(search->places, key));
    if (place == 0) {
        Row row = {.node = node, .class = class, .shares = g_array_new(FALSE, FALSE, sizeof(HieraShare))};
        g_array_append_val(search->rows, row);
        g_hash_table_insert(search->places, key, GUINT_TO_POINTER(place = search->rows->len));
    }
    return &g_array_index(search->rows, Row, place - 1);
}

static void add_wait(const Search *search, const HieraWait *wait)
{
    guint32 node = search->paths.node[wait->row];
    gint64 time_ns = hiera_scope_clip(search->scope, wait->begin_ns, wait->end_ns);
    if (node == 0 || time_ns == 0)
        return;
    Row *row = find_row(search, node, wait->class);
    row->count++;
    row->time_ns = hiera_plus(row->time_ns, time_ns);
    row->worst_ns = MAX(row->worst_ns, time_ns);
    if (hiera_clock_doubts_touch(&search->doubts, wait))
        row->unsure_ns = hiera_plus(row->unsure_ns, time_ns);
    hiera_shares_add(row->shares, hiera_trace_find_processor(search->trace, wait->row), time_ns);
}

/* --- waiting that a profile has measured --- */

typedef struct {
    const Search *search;
    guint32 processor;
} Measured;

static void add_waited(guint32 node, HieraWaitClass class, const HieraWaited *waited, gpointer user)
{
    const Measured *measured = user;
    Row *row = find_row(measured->search, node, class);
    row->count = hiera_plus(row->count, waited->count);
    row->time_ns = hiera_plus(row->time_ns, waited->time_ns);
    row->worst_ns = MAX(row->worst_ns, waited->max_ns);
    hiera_shares_add(row->shares, measured->processor, waited->time_ns);
}

/* Add the waits that a profile of a processor has measured. Each process calls it for its own processors. */
static void add_measured(Search *search, guint32 processor)
{
    Measured measured = {search, processor};
    hiera_measured_waits_visit(&search->paths, search->scope, processor, add_waited, &measured);
}

/* Sort by waiting, longest first; if equal, by node, in the order of discovery, then by class. */
static gint compare_rows(gconstpointer left, gconstpointer right)
{
    const Row *a = left, *b = right;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? 1 : -1;
    return a->node != b->node ? (a->node > b->node) - (a->node < b->node)
                              : (a->class > b->class) - (a->class < b->class);
}

static void add_row(const Search *search, const Row *row, gint64 run_ns, HieraTable *table)
{
    const HieraSite *site = hiera_call_paths_site(&search->paths, row->node);
    hiera_table_add(table, (HieraCell[]){{.text = hiera_wait_name((HieraWaitClass)row->class)},
                                         {.text = site ? site->operation : ""},
                                         {.text = site ? site->short_file : ""},
                                         {.number = site ? site->line : 0},
                                         {.text = hiera_call_paths_text(&search->paths, row->node, table)},
                                         {.text = hiera_shares_name_ranks(row->shares, search->trace, 0, table)},
                                         {.number = row->count},
                                         {.number = row->time_ns},
                                         {.number = hiera_percent(row->time_ns, run_ns)},
                                         {.number = row->worst_ns},
                                         {.number = row->unsure_ns}});
}

static Search search_new(const HieraMatch *match, const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
    g_array_set_clear_func(rows, row_clear);
    return (Search){match, trace, scope, {0}, hiera_clock_doubts_of(trace), g_hash_table_new(NULL, NULL), rows};
}

static void search_clear(const Search *search)
{
    g_hash_table_unref(search->places);
    g_array_unref(search->rows);
}

/* Say how much of the waiting is that of further threads: the time of which shares are has none of theirs. */
static void limit_further(const Search *search, HieraTable *table)
{
    gint64 time_ns = 0;
    char time[HIERA_NUMBER_BYTES];
    for (guint i = 0; i < search->rows->len; i++) {
        const Row *row = &g_array_index(search->rows, Row, i);
        if (hiera_call_tree_is_further(search->paths.tree, row->node))
            time_ns = hiera_plus(time_ns, row->time_ns);
    }
    hiera_time_format(time, time_ns);
    g_autofree char *sentence =
        g_strdup_printf("waits: further threads wait for %s of this; shares are of the time of main threads", time);
    hiera_table_limit_too(table, HIERA_FINDING_MAIN_THREADS, time_ns > 0 ? sentence : NULL);
}

static void add_rows(const Search *search, HieraTable *table)
{
    gint64 run_ns = hiera_run_sum(search->trace, search->scope);
    if (hiera_trace_has_waits(search->trace))
        hiera_table_limit(table, HIERA_FINDING_SUMS, HIERA_MEASURED_WAITS_LIMIT);
    limit_further(search, table);
    for (guint i = 0; i < search->rows->len; i++)
        hiera_shares_settle(g_array_index(search->rows, Row, i).shares);
    g_array_sort(search->rows, compare_rows);
    for (guint i = 0; i < search->rows->len; i++)
        add_row(search, &g_array_index(search->rows, Row, i), run_ns, table);
}

/* --- several processes: process 0 gets the rows of all --- */

/* Replace the nodes of this process in the rows by those of all processes. */
static void unite(Search *search)
{
    g_autofree guint32 *to = hiera_nodes_unite(&search->paths, search->scope);
    g_hash_table_remove_all(search->places);
    for (guint i = 0; i < search->rows->len; i++) {
        Row *row = &g_array_index(search->rows, Row, i);
        row->node = to[row->node];
        g_hash_table_insert(search->places, key_of(row->node, row->class), GUINT_TO_POINTER(i + 1));
    }
}

static void pack_rows(HieraPacker *to, gpointer user)
{
    const GArray *rows = ((const Search *)user)->rows;
    hiera_pack_number(to, rows->len);
    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        const gint64 numbers[] = {row->node, row->class, row->count, row->time_ns, row->worst_ns, row->unsure_ns};
        hiera_pack_bytes(to, numbers, sizeof numbers);
        hiera_shares_pack(row->shares, to);
    }
}

static void unpack_rows(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        gint64 numbers[6];
        hiera_unpack_bytes(from, numbers, sizeof numbers);
        Row *row = find_row(user, (guint32)numbers[0], (guint8)numbers[1]);
        row->count = hiera_plus(row->count, numbers[2]);
        row->time_ns = hiera_plus(row->time_ns, numbers[3]);
        row->worst_ns = MAX(row->worst_ns, numbers[4]);
        row->unsure_ns = hiera_plus(row->unsure_ns, numbers[5]);
        hiera_shares_unpack(from, row->shares);
    }
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    g_autoptr(GArray) waits = hiera_waits_find(match);
    Search search = search_new(match, scope);
    hiera_call_paths_init(&search.paths, search.trace, scope);
    for (guint i = 0; i < waits->len; i++)
        add_wait(&search, &g_array_index(waits, HieraWait, i));
    for (guint32 i = 0; i < search.trace->n_processors; i++)
        add_measured(&search, i);
    unite(&search);
    hiera_scope_gather_others(scope, search.trace, pack_rows, unpack_rows, &search);
    if (hiera_scope_leads(scope))
        add_rows(&search, table);
    hiera_call_paths_clear(&search.paths);
    search_clear(&search);
    return TRUE;
}

const HieraMeasure hiera_measure_waits = {
    .name = "waits",
    .nothing = "nobody waits for anybody",
    .help = "who waits, where, how long, and why: late senders, barriers, …",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_MEASURED_WAITS | HIERA_MEASURE_TOGETHER,
    .find = find,
};
