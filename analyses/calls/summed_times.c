#include "summed_times.h"
#include "summed_visit.h"

/* A summed operation, and the activity to which its time is added. */
typedef struct {
    HieraDoing doing;
    gboolean unit; /* TRUE: outermost operation in the scope, from whose time MPI calls inside are subtracted */
    HieraSummed summed;
} Late;

void hiera_summed_times_begin(HieraSummedTimes *times, const HieraScope *scope, const HieraProcessor *processor)
{
    *times = (HieraSummedTimes){.scope = scope,
                                .init_ns = processor->init_ns,
                                .finalize_ns = processor->finalize_ns,
                                .unit = HIERA_OUTSIDE,
                                .mpi = HIERA_OUTSIDE,
                                .late = g_array_new(FALSE, FALSE, sizeof(Late))};
}

static void add_time(HieraSummedTimes *times, const Late *of, gint64 finalize_ns)
{
    gint64 time_ns = hiera_summed_time_between(&of->summed, times->init_ns, finalize_ns);
    gint64 *sum = &times->does_ns[of->doing], *computes = &times->does_ns[HIERA_DOES_COMPUTE];
    *sum = hiera_plus(*sum, time_ns);
    if (!of->unit)
        *computes = hiera_minus(*computes, time_ns);
}

static void add(HieraSummedTimes *times, HieraDoing doing, gboolean unit, const HieraSummed *summed)
{
    Late of = {doing, unit, *summed};
    if (summed->open > 0 || summed->last_ns > times->finalize_ns)
        g_array_append_val(times->late, of);
    else
        add_time(times, &of, times->finalize_ns);
}

void hiera_summed_times_add(HieraSummedTimes *times, const HieraSummed *summed, gboolean inside)
{
    if (summed->thread != 0)
        return;
    gboolean in_mpi = hiera_inside_holds(&times->mpi, summed->depth, 0);
    gboolean in_unit = hiera_inside_holds(&times->unit, summed->depth, 0) || inside;
    if (!in_unit && hiera_scope_has_units(times->scope) && hiera_scope_accepts_summed(times->scope, summed)) {
        hiera_inside_enter(&times->unit, summed->depth, 0);
        add(times, HIERA_DOES_COMPUTE, TRUE, summed);
        in_unit = TRUE;
    }
    if (!summed->site->mpi || in_mpi)
        return;
    hiera_inside_enter(&times->mpi, summed->depth, 0);
    if (in_unit || !hiera_scope_has_units(times->scope))
        add(times, hiera_site_does(summed->site), FALSE, summed);
}

void hiera_summed_times_end(HieraSummedTimes *times, const HieraProcessor *processor)
{
    for (guint i = 0; i < times->late->len; i++)
        add_time(times, &g_array_index(times->late, Late, i), processor->finalize_ns);
    g_array_unref(times->late);
}

static void add_visited(const HieraSummed *summed, const HieraSummedPlace *place, gpointer user)
{
    hiera_summed_times_add(user, summed, place->unit && !place->is_unit);
}

void hiera_summed_times_of(const HieraTrace *trace, guint32 processor, const HieraScope *scope,
                           gint64 does_ns[HIERA_N_DOINGS])
{
    const HieraProcessor *of = &trace->processors[processor];
    HieraSummedTimes times;
    if (of->n_summed == 0)
        return;
    hiera_summed_times_begin(&times, scope, of);
    hiera_summed_visit_one(trace, processor, scope, add_visited, &times);
    hiera_summed_times_end(&times, of);
    for (guint i = 0; i < HIERA_N_DOINGS; i++)
        does_ns[i] = hiera_plus(does_ns[i], times.does_ns[i]);
}
