/* The walks of the paper's figures 3 and 4: the vertices, numbered from 1, in the order in which they are visited. */
#include "measures.h"

static const HieraColumn columns[] = {{"vertex", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}};

static gboolean add_vertex(igraph_integer_t vertex, gpointer table)
{
    hiera_table_add(table, &(HieraCell){.number = vertex + 1});
    return TRUE;
}

static gboolean run_operations(const HieraGraph *graph, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    hiera_walk_operations(graph, scope, add_vertex, table);
    return TRUE;
}

static gboolean run_partners(const HieraGraph *graph, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    hiera_walk_partners(graph, scope, add_vertex, table);
    return TRUE;
}

const HieraMeasure hiera_measure_walk_operations = {
    .name = "walk-operations",
    .help = "vertices of the graph: each processor and its operations",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_GRAPH,
    .ordered = TRUE,
    .run = run_operations,
};

const HieraMeasure hiera_measure_walk_partners = {
    .name = "walk-partners",
    .help = "vertices of the graph, each operation followed by its partners",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_GRAPH,
    .ordered = TRUE,
    .run = run_partners,
};
