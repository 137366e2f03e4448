/* Runs all checks on a matched trace. Violations become findings, never a GError. */
#include "checks.h"
#include "graph/graph_private.h"

void hiera_graph_check(const HieraGraph *graph, HieraFindings *findings)
{
    static void (*const checks[])(const HieraCheck *) = {
#define X(name) hiera_check_##name,
        HIERA_CHECKS(X)
#undef X
    };
    HieraCheck check = {graph->trace, graph->match, findings};
    for (guint i = 0; i < G_N_ELEMENTS(checks); i++)
        checks[i](&check);
}

GPtrArray *hiera_check_make_tables(const HieraGraph *graph, HieraFindings *findings)
{
    static const struct {
        HieraTable *(*make)(const HieraGraph *);
        guint at_least;
    } rows[] = {
#define X(name, at_least) {hiera_graph_make_##name, at_least},
        HIERA_CHECK_TABLES(X)
#undef X
    };
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(HieraTable) table = rows[i].make(graph);
        hiera_table_check_range(table, findings);
        if (hiera_table_count(table) >= rows[i].at_least)
            g_ptr_array_add(tables, g_steal_pointer(&table));
    }
    return tables;
}
