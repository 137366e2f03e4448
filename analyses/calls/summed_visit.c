#include "summed_visit.h"
#include "values/outermost.h"

/* What encloses the next operation: the scope's outermost operation, and an MPI call. */
typedef struct {
    HieraInside unit, mpi;
    const HieraSite *site; /* call site of `unit` */
} Around;

static gboolean enter(Around *around, const HieraSite *site, guint32 depth, guint32 thread, gboolean accepted)
{
    gboolean in_unit = hiera_inside_holds(&around->unit, depth, thread);
    if (!in_unit && accepted) {
        hiera_inside_enter(&around->unit, depth, thread);
        around->site = site;
    }
    if (!hiera_inside_holds(&around->mpi, depth, thread) && site->mpi)
        hiera_inside_enter(&around->mpi, depth, thread);
    return !in_unit && accepted;
}

/* Take the single operations before `end`, which may enclose the next summed operation; `row` becomes `end`. */
static void pass(Around *around, const HieraTrace *trace, const HieraScope *scope, guint64 *row, guint64 end)
{
    for (; *row < end; ++*row)
        enter(around, hiera_trace_peek_site(trace, (guint32)*row), trace->depth[*row], trace->thread[*row],
              hiera_scope_accepts_row(scope, trace, (guint32)*row));
}

void hiera_summed_visit_one(const HieraTrace *trace, guint32 processor, const HieraScope *scope, HieraSummedVisit visit,
                            gpointer user)
{
    Around around = {HIERA_OUTSIDE, HIERA_OUTSIDE, NULL};
    guint64 first = trace->processors[processor].first, row = first;
    if (trace->processors[processor].n_summed == 0)
        return;
    for (guint i = hiera_trace_find_summed(trace, processor); i < trace->summed->len; i++) {
        const HieraSummedOf *of = &g_array_index(trace->summed, HieraSummedOf, i);
        const HieraSummed *summed = of->summed;
        if (of->processor != processor)
            return;
        pass(&around, trace, scope, &row, first + summed->before);
        HieraSummedPlace place = {processor, NULL, FALSE,
                                  hiera_inside_holds(&around.mpi, summed->depth, summed->thread)};
        place.is_unit =
            enter(&around, summed->site, summed->depth, summed->thread, hiera_scope_accepts_summed(scope, summed));
        place.unit = around.unit.depth != HIERA_NONE ? around.site : NULL;
        visit(summed, &place, user);
    }
}

void hiera_summed_visit(const HieraTrace *trace, const HieraScope *scope, HieraSummedVisit visit, gpointer user)
{
    for (guint32 i = 0; i < trace->n_processors; i++)
        hiera_summed_visit_one(trace, i, scope, visit, user);
}
