/* The merged call trees of all processors, with the time in each node; call_times.h adds it up. Samples name the
 * loops in which this time is spent. */
#include "calls/call_paths.h"
#include "calls/call_times.h"
#include "inside/hot_loops.h"
#include "inside/sampled_list.h"
#include "measures.h"
#include "values/counter_cells.h"
#include "values/outermost.h"
#include <string.h>

static const HieraColumn columns[] = {
    {"path", HIERA_CELL_PATH, HIERA_ROLE_KEY},
    {"level", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
    {"calls", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
    {"inclusive", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"exclusive", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"bytes", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL},
    {"min", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"max", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"imbalance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},
    {"hot", HIERA_CELL_SENTENCE, HIERA_ROLE_TELLING},
};

enum { OWN_COLUMNS = G_N_ELEMENTS(columns) };

/* State while one processor is read. */
typedef struct {
    gpointer times; /* state of hiera_call_times_begin() */
    GArray *sampled;
} State;

typedef struct {
    HieraCallTimes *times;
    HieraHotLoops *loops;
    gboolean has_loops;
} All;

/* Set the types of the counters' columns, which are known when all traces are read. */
static void set_types(const HieraScopeCounters *counters, const HieraCatalog *catalog)
{
    for (guint i = 0; i < counters->n; i++)
        counters->columns[OWN_COLUMNS + i].type =
            hiera_counter_cell_type(hiera_catalog_find_counter(catalog, counters->names[i]));
}

static void put_counters(const HieraCallTimes *times, const HieraScopeCounters *counters, guint32 number,
                         HieraCell *cells)
{
    for (guint i = 0; i < counters->n; i++)
        cells[i].number = hiera_call_counters_cell(times->counters, number, i, counters->columns[OWN_COLUMNS + i].type);
}

static const char *find_loop(const All *all, const HieraCatalog *catalog, guint32 number, HieraTable *table)
{
    g_autofree char *sentence =
        all->has_loops ? hiera_hot_loops_tell(all->loops, all->times->tree, catalog, number, NULL) : NULL;
    return sentence ? hiera_table_keep(table, sentence) : "";
}

static void add_row(const All *all, const HieraCatalog *catalog, guint32 number, HieraTable *table)
{
    const HieraCallTimes *times = all->times;
    const HieraCallTree *tree = times->tree;
    const HieraScopeCounters *counters = hiera_call_counters_peek(times->counters);
    g_autofree HieraCell *cells = g_new0(HieraCell, OWN_COLUMNS + (counters ? counters->n : 0));
    const HieraCallNode *node = hiera_call_tree_peek(tree, number);
    const HieraCallSums *sums = &node->sums;
    const char *level = node->site < HIERA_CALL_NO_SITE ? hiera_catalog_peek_site(catalog, node->site)->level : "";
    const HieraCell own[OWN_COLUMNS] = {{.text = hiera_call_path(tree, catalog, number, TRUE, table)},
                                        {.text = level},
                                        {.number = sums->calls},
                                        {.number = sums->inclusive},
                                        {.number = MAX(sums->exclusive, 0)},
                                        {.number = sums->mpi},
                                        {.number = sums->bytes},
                                        {.number = node->trees < tree->merged ? 0 : node->min},
                                        {.number = sums->inclusive / tree->merged},
                                        {.number = node->max},
                                        {.number = hiera_imbalance(sums->inclusive, tree->merged, node->max)},
                                        {.text = find_loop(all, catalog, number, table)}};
    memcpy(cells, own, sizeof own);
    if (counters)
        put_counters(times, counters, number, cells + OWN_COLUMNS);
    hiera_table_add(table, cells);
}

static gpointer open_all(const HieraScope *scope)
{
    All *all = g_new(All, 1);
    *all = (All){hiera_call_times_open(scope), hiera_hot_loops_new(), hiera_hot_loops_suit(scope)};
    return all;
}

static State *make_state(gpointer times, GArray *sampled)
{
    State *state = g_new(State, 1);
    *state = (State){times, sampled};
    return state;
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    return make_state(hiera_call_times_begin(scope, processor), hiera_sampled_list_new());
}

static void operation(gpointer state, const HieraOperation *operation)
{
    hiera_call_times_operation(((State *)state)->times, operation);
}

static void summed(gpointer state, const HieraSummed *summed)
{
    hiera_call_times_summed(((State *)state)->times, summed);
}

static void filtered(gpointer state, const HieraFiltered *filtered)
{
    hiera_call_times_filtered(((State *)state)->times, filtered);
}

static void counted(gpointer state, const HieraCounted *counted)
{
    hiera_call_times_counted(((State *)state)->times, counted);
}

static void own_time(gpointer state, const HieraOwnTime *own)
{
    hiera_call_times_own_time(((State *)state)->times, own);
}

static void sampled(gpointer state, const HieraSampled *sampled)
{
    g_array_append_val(((State *)state)->sampled, *sampled);
}

static void merge(gpointer data, gpointer one, const HieraProcessor *processor, gboolean keep)
{
    const All *all = data;
    State *state = one;
    hiera_call_times_merge(all->times, state->times, processor, keep);
    for (guint i = 0; keep && i < state->sampled->len; i++)
        hiera_hot_loops_add(all->loops, &g_array_index(state->sampled, HieraSampled, i));
    g_array_unref(state->sampled);
    g_free(state);
}

static void pack(gpointer data, const HieraProcessor *processor, HieraPacker *to)
{
    const State *state = data;
    hiera_call_times_pack(state->times, processor, to);
    hiera_sampled_list_pack(state->sampled, to);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    gpointer times = hiera_call_times_unpack(scope, processor, from);
    return make_state(times, hiera_sampled_list_unpack(from));
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    All *all = data;
    HieraCallTimes *times = all->times;
    const HieraCallTree *tree = times->tree;
    const HieraScopeCounters *counters = table ? hiera_call_counters_peek(times->counters) : NULL;
    g_autofree guint32 *order = table && tree->merged > 0 ? hiera_call_tree_order(tree) : NULL;
    if (counters) {
        set_types(counters, catalog);
        hiera_call_counters_sum(times->counters, tree);
    }
    for (guint32 i = 0; order && i < tree->nodes->len; i++)
        add_row(all, catalog, order[i], table);
    if (counters)
        hiera_counters_limit(counters, catalog, table);
    hiera_call_times_free(times);
    hiera_hot_loops_free(all->loops);
    g_free(all);
}

const HieraMeasure hiera_measure_profile = {
    .name = "profile",
    .help = "call tree of all processors: calls, time, MPI time, imbalance",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .counters = &hiera_measure_profile,
    .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_WHOLE | HIERA_MEASURE_COUNTER_COLUMNS,
    .job = &(const HieraJobOps){.read = {.begin = begin,
                                         .operation = operation,
                                         .filtered = filtered,
                                         .summed = summed,
                                         .records = {.counted = counted, .sampled = sampled, .own_time = own_time},
                                         .pack = pack,
                                         .unpack = unpack},
                                .open = open_all,
                                .merge = merge,
                                .close = close_all},
};
