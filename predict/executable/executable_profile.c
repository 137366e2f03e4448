#include "executable_profile.h"
#include "image/places/readable_name.h"
#include "inside/loop_tree.h"
#include "run/recorded_run.h"

/* Add a node of the recorded loop tree. Loops with the same lines, as inlining makes them, count as one: their nodes
 * are added up. */
static void add_node(const HieraExecution *execution, const HieraLoopTree *tree, const HieraLoopNode *node,
                     gdouble *iterations, gdouble *executions)
{
    for (guint i = 0; i < execution->loops->len; i++) {
        const HieraExecutionLoop *loop = hiera_execution_loop(execution, i);
        const HieraFunctionGraph *graph = hiera_execution_graph(execution, loop->graph);
        g_autofree char *file = loop->file ? g_path_get_basename(loop->file) : NULL;
        g_autofree char *step = !file ? NULL
                                : loop->first_line == loop->last_line
                                    ? g_strdup_printf("loop %s:%d", file, loop->first_line)
                                    : g_strdup_printf("loop %s:%d-%d", file, loop->first_line, loop->last_line);
        g_autofree char *name = hiera_readable_name(graph->name, graph->file);
        const char *function = hiera_loop_tree_peek(tree, node->function)->step;
        if (!step || !g_str_has_prefix(node->step, step) || !g_str_has_prefix(function, name))
            continue;
        iterations[i] += (gdouble)node->iterations;
        executions[i] += (gdouble)node->count;
    }
}

gdouble *executable_profile_read(const HieraExecution *execution, const char *trace, guint *n, GError **error)
{
    const char *arguments[] = {trace, NULL};
    const HieraScope all = HIERA_SCOPE_ALL;
    guint n_loops = execution->loops->len;
    g_autofree gdouble *iterations = g_new0(gdouble, n_loops + 1), *executions = g_new0(gdouble, n_loops + 1);
    RecordedRun run;
    *n = 0;
    gboolean good = recorded_run_load(&run, arguments, error);
    if (good) {
        HieraLoopTree tree;
        GArray *timed = hiera_loop_tree_gather(run.trace, &all);
        hiera_loop_tree_init(&tree);
        hiera_loop_tree_add_trace(&tree, run.trace, timed, &all);
        for (guint i = 1; i < tree.nodes->len; i++)
            if (hiera_loop_tree_peek(&tree, i)->count > 0)
                add_node(execution, &tree, hiera_loop_tree_peek(&tree, i), iterations, executions);
        hiera_loop_tree_clear(&tree);
        g_array_unref(timed);
    }
    recorded_run_clear(&run);
    if (!good)
        return NULL;
    for (guint i = 0; i < n_loops; i++) {
        *n += executions[i] > 0;
        iterations[i] = executions[i] > 0 ? iterations[i] / executions[i] : -1;
    }
    if (*n > 0)
        return g_steal_pointer(&iterations);
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                "--profile %s: it has no times of loops of this program; record it with HIERA_LOOPS=FUNCTION,…", trace);
    return NULL;
}
