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
