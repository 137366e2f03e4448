/* The call trees of all processors, merged, with the time in each node; call_times.h adds it up. */
#include "calls/call_paths.h"
#include "calls/call_times.h"
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
};

enum { OWN_COLUMNS = G_N_ELEMENTS(columns) };

/* Set the types of the columns of counters. */
static void set_types(const HieraScopeCounters *counters, const HieraCatalog *catalog)
{
    for (guint i = 0; i < counters->n; i++)
        counters->columns[OWN_COLUMNS + i].type =
            hiera_counter_cell_type(hiera_catalog_find_counter(catalog, counters->names[i]));
}

static void put_counters(const HieraCallTimes *times, const HieraScopeCounters *counters, guint32 number, HieraCell *cells)
{
    for (guint i = 0; i < counters->n; i++)
        cells[i].number =
            hiera_call_counters_cell(times->counters, number, i, counters->columns[OWN_COLUMNS + i].type);
}

static void add_row(const HieraCallTimes *times, const HieraCatalog *catalog, guint32 number, HieraTable *table)
{
    const HieraCallTree *tree = times->tree;
    const HieraScopeCounters *counters = hiera_call_counters_peek(times->counters);
    g_autofree HieraCell *cells = g_new0(HieraCell, OWN_COLUMNS + (counters ? counters->n : 0));
    const HieraCallNode *node = hiera_call_tree_peek(tree, number);
    const HieraCallSums *sums = &node->sums;
    const char *level = node->site < HIERA_CALL_COUNTED ? hiera_catalog_peek_site(catalog, node->site)->level : "";
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
                                        {.number = hiera_imbalance(sums->inclusive, tree->merged, node->max)}};
    memcpy(cells, own, sizeof own);
    if (counters)
        put_counters(times, counters, number, cells + OWN_COLUMNS);
    hiera_table_add(table, cells);
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    const HieraCallTimes *times = data;
    const HieraCallTree *tree = times->tree;
    const HieraScopeCounters *counters = table ? hiera_call_counters_peek(times->counters) : NULL;
    g_autofree guint32 *order = table && tree->merged > 0 ? hiera_call_tree_order(tree) : NULL;
    if (counters) {
        set_types(counters, catalog);
        hiera_call_counters_sum(times->counters, tree);
    }
    for (guint32 i = 0; order && i < tree->nodes->len; i++)
        add_row(times, catalog, order[i], table);
    if (counters)
        hiera_counters_limit(counters, catalog, table);
    hiera_call_times_free(data);
}

const HieraMeasure hiera_measure_profile = {
    .name = "profile",
    .help = "call tree of all processors: calls, time, MPI time, imbalance",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_JOB,
    .ordered = TRUE,
    .whole = TRUE,
    .counters = &hiera_measure_profile,
    .counter_columns = TRUE,
    .begin = hiera_call_times_begin,
    .operation = hiera_call_times_operation,
    .summed = hiera_call_times_summed,
    .filtered = hiera_call_times_filtered,
    .counted = hiera_call_times_counted,
    .open = hiera_call_times_open,
    .merge = hiera_call_times_merge,
    .pack = hiera_call_times_pack,
    .unpack = hiera_call_times_unpack,
    .close = close_all,
};
