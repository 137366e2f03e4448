/* The call trees of all processors, merged, with the time in each node; call_times.h adds it up. */
#include "calls/call_paths.h"
#include "calls/call_times.h"
#include "measures.h"
#include "values/outermost.h"

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

static void add_row(const HieraCallTree *tree, const HieraCatalog *catalog, guint32 number, HieraTable *table)
{
    const HieraCallNode *node = hiera_call_tree_peek(tree, number);
    const HieraCallSums *sums = &node->sums;
    const char *level = node->site < HIERA_CALL_COUNTED ? hiera_catalog_peek_site(catalog, node->site)->level : "";
    hiera_table_add(table, (HieraCell[]){{.text = hiera_call_path(tree, catalog, number, TRUE, table)},
                                         {.text = level},
                                         {.number = sums->calls},
                                         {.number = sums->inclusive},
                                         {.number = MAX(sums->exclusive, 0)},
                                         {.number = sums->mpi},
                                         {.number = sums->bytes},
                                         {.number = node->trees < tree->merged ? 0 : node->min},
                                         {.number = sums->inclusive / tree->merged},
                                         {.number = node->max},
                                         {.number = hiera_imbalance(sums->inclusive, tree->merged, node->max)}});
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    const HieraCallTree *tree = ((HieraCallTimes *)data)->tree;
    g_autofree guint32 *order = table && tree->merged > 0 ? hiera_call_tree_order(tree) : NULL;
    for (guint32 i = 0; order && i < tree->nodes->len; i++)
        add_row(tree, catalog, order[i], table);
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
    .begin = hiera_call_times_begin,
    .operation = hiera_call_times_operation,
    .filtered = hiera_call_times_filtered,
    .open = hiera_call_times_open,
    .merge = hiera_call_times_merge,
    .close = close_all,
};
