/* See summed_paths.h. */
#include "summed_paths.h"
#include "hiera_summed.h"
#include "values/outermost.h"

/* What is around the next operation of the main thread. */
typedef struct {
    guint32 node;
    gboolean in_mpi;
} Around;

typedef struct {
    HieraPathRows *rows;
    guint32 processor;
    GArray *around; /* Around by depth; element 0 is the processor */
} Walk;

static Around *around_of(const Walk *walk, guint32 depth)
{
    return &g_array_index(walk->around, Around, depth);
}

static void enter(const Walk *walk, guint32 depth, guint32 node, const HieraSite *site)
{
    Around own = {node, around_of(walk, depth)->in_mpi || site->mpi};
    if (walk->around->len < depth + 2)
        g_array_set_size(walk->around, depth + 2);
    *around_of(walk, depth + 1) = own;
}

/* Pass the single operations before a row. */
static void pass(const Walk *walk, guint64 *row, guint64 end)
{
    const HieraTrace *trace = walk->rows->paths.trace;
    for (; *row < end; ++*row)
        if (trace->thread[*row] == 0)
            enter(walk, trace->depth[*row], walk->rows->paths.node[*row], hiera_trace_peek_site(trace, (guint32)*row));
}

/* The time of an operation is not that of the one around it. */
static void add(const Walk *walk, const HieraSummed *summed)
{
    HieraPathRows *rows = walk->rows;
    const HieraProcessor *of = &rows->paths.trace->processors[walk->processor];
    const Around caller = *around_of(walk, summed->depth);
    guint32 node = caller.node;
    if (!hiera_scope_has_units(rows->scope) || hiera_scope_accepts_summed(rows->scope, summed))
        node = hiera_call_tree_find(rows->paths.tree, caller.node, summed->site->id);
    enter(walk, summed->depth, node, summed->site);
    if (caller.in_mpi)
        return;
    gint64 time_ns = hiera_summed_time_between(summed, of->init_ns, of->finalize_ns);
    hiera_path_rows_add_time(rows, walk->processor, caller.node, HIERA_DOES_COMPUTE, hiera_minus(0, time_ns));
    hiera_path_rows_add_time(rows, walk->processor, node, hiera_site_does(summed->site), time_ns);
}

void hiera_summed_paths_add(HieraPathRows *rows, guint32 processor)
{
    const HieraTrace *trace = rows->paths.trace;
    const HieraProcessor *of = &trace->processors[processor];
    g_autoptr(GArray) around = g_array_new(FALSE, TRUE, sizeof(Around));
    Walk walk = {rows, processor, around};
    guint64 row = of->first;
    if (of->n_summed == 0 || !hiera_scope_accepts_rank(rows->scope, of->rank))
        return;
    g_array_set_size(around, 1);
    for (guint i = hiera_trace_find_summed(trace, processor); i < trace->summed->len; i++) {
        const HieraSummedOf *next = &g_array_index(trace->summed, HieraSummedOf, i);
        if (next->processor != processor)
            return;
        pass(&walk, &row, of->first + next->summed->before);
        if (next->summed->thread == 0)
            add(&walk, next->summed);
    }
}
