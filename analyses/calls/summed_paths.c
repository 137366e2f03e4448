#include "summed_paths.h"
#include "values/outermost.h"

/* What encloses the next operation at a depth: the node of an operation, and whether it is in an MPI call. */
typedef struct {
    guint32 node;
    gboolean in_mpi;
    const HieraSite *site; /* of the operation; NULL: none */
} Around;

typedef struct {
    HieraCallPaths *paths;
    const HieraScope *scope;
    GArray *around; /* Around, by depth of the operations inside; element 0: the processor, or its further threads */
} Walk;

/* Return the node for operations at depth 0 of a thread. */
static guint32 outermost_of(const Walk *walk, guint32 thread)
{
    return thread == 0 ? 0 : hiera_call_tree_find(walk->paths->tree, 0, HIERA_CALL_THREADS);
}

static Around *around_of(const Walk *walk, guint32 depth, guint32 thread)
{
    Around *around = &g_array_index(walk->around, Around, depth);
    if (depth == 0)
        *around = (Around){outermost_of(walk, thread), FALSE, NULL};
    return around;
}

static void enter(const Walk *walk, guint32 depth, guint32 node, gboolean in_mpi, const HieraSite *site)
{
    if (walk->around->len < depth + 2)
        g_array_set_size(walk->around, depth + 2);
    g_array_index(walk->around, Around, depth + 1) = (Around){node, in_mpi, site};
}

/* Take the single operations before `end`, which may enclose the next summed operation; `row` becomes `end`. */
static void pass(const Walk *walk, guint64 *row, guint64 end)
{
    const HieraTrace *trace = walk->paths->trace;
    for (; *row < end; ++*row) {
        gboolean in_mpi = around_of(walk, trace->depth[*row], trace->thread[*row])->in_mpi;
        guint32 node = walk->paths->node[*row];
        const HieraSite *site = hiera_trace_peek_site(trace, (guint32)*row);
        enter(walk, trace->depth[*row], node != 0 ? node : outermost_of(walk, trace->thread[*row]), in_mpi || site->mpi,
              site);
    }
}

static HieraSummedPath find(const Walk *walk, const HieraSummed *summed)
{
    Around caller = *around_of(walk, summed->depth, summed->thread);
    HieraSummedPath path = {caller.node, caller.node, caller.site, caller.in_mpi};
    if (!hiera_scope_has_units(walk->scope) || hiera_scope_accepts_summed(walk->scope, summed))
        path.node = hiera_call_tree_find(walk->paths->tree, caller.node, summed->site->id);
    enter(walk, summed->depth, path.node, path.in_mpi || summed->site->mpi, summed->site);
    if (hiera_scope_has_units(walk->scope) && path.node == outermost_of(walk, summed->thread))
        path.node = 0; /* no operation that the scope selects is around the summed one */
    return path;
}

void hiera_summed_paths_visit(HieraCallPaths *paths, const HieraScope *scope, guint32 processor,
                              HieraSummedPathVisit visit, gpointer user)
{
    const HieraTrace *trace = paths->trace;
    const HieraProcessor *of = &trace->processors[processor];
    g_autoptr(GArray) around = g_array_new(FALSE, TRUE, sizeof(Around));
    Walk walk = {paths, scope, around};
    guint64 row = of->first;
    if (of->n_summed == 0 || !hiera_scope_accepts_rank(scope, of->rank))
        return;
    g_array_set_size(around, 1);
    for (guint i = hiera_trace_find_summed(trace, processor); i < trace->summed->len; i++) {
        const HieraSummedOf *next = &g_array_index(trace->summed, HieraSummedOf, i);
        if (next->processor != processor)
            return;
        pass(&walk, &row, of->first + next->summed->before);
        HieraSummedPath path = find(&walk, next->summed);
        hiera_call_paths_note_late(paths, processor);
        visit(next->summed, &path, user);
    }
}

typedef struct {
    HieraPathRows *rows;
    guint32 processor;
    HieraSiteDoes outside;
} Times;

/* Add the time of a summed operation to its node, and subtract it from the computation of the operation around it. */
static void add(const HieraSummed *summed, const HieraSummedPath *path, gpointer user)
{
    const Times *times = user;
    HieraPathRows *rows = times->rows;
    const HieraProcessor *of = &rows->paths.trace->processors[times->processor];
    if (path->in_mpi || summed->thread != 0)
        return;
    gint64 time_ns = hiera_summed_time_between(summed, of->init_ns, of->finalize_ns);
    HieraDoing doing = summed->site->mpi ? hiera_site_does(summed->site) : times->outside(summed->site);
    HieraDoing around = path->around ? times->outside(path->around) : HIERA_DOES_COMPUTE;
    hiera_path_rows_add_time(rows, times->processor, path->caller, around, hiera_minus(0, time_ns));
    hiera_path_rows_add_time(rows, times->processor, path->node, doing, time_ns);
}

void hiera_summed_paths_add(HieraPathRows *rows, guint32 processor, HieraSiteDoes outside)
{
    Times times = {rows, processor, outside};
    hiera_summed_paths_visit(&rows->paths, rows->scope, processor, add, &times);
}
