/* See activity.h. */
#include "activity.h"
#include <string.h>

gboolean hiera_site_is_io(const HieraSite *site)
{
    static const char prefix[] = "file_";
    return site->mpi && strncmp(site->operation, prefix, sizeof prefix - 1) == 0;
}

void hiera_activities_begin(HieraActivities *state, const HieraScope *scope, const HieraProcessor *processor,
                            HieraActivityVisit visit, gpointer user)
{
    gint64 nothing = hiera_scope_has_units(scope) ? processor->init_ns : HIERA_TIME_OPEN;
    *state = (HieraActivities){.scope = scope,
                               .visit = visit,
                               .user = user,
                               .unit = HIERA_OUTSIDE,
                               .mpi = HIERA_OUTSIDE,
                               .last_ns = processor->init_ns,
                               .unit_finish_ns = nothing,
                               .open_ns = HIERA_TIME_OPEN};
}

/* Visit a span up to a time that is not behind the end of the unit. */
static void show(HieraActivities *state, HieraActivity activity, gint64 finish_ns)
{
    gint64 last_ns = MIN(finish_ns, state->unit_finish_ns);
    if (last_ns <= state->last_ns)
        return;
    state->visit(activity, state->last_ns, last_ns, state->user);
    state->last_ns = last_ns;
}

static void enter_unit(HieraActivities *state, const HieraOperation *operation)
{
    if (state->unit_finish_ns != HIERA_TIME_OPEN)
        show(state, HIERA_ACTIVITY_USEFUL, state->unit_finish_ns);
    hiera_inside_enter(&state->unit, operation->depth, 0);
    state->last_ns = MAX(state->last_ns, operation->start_ns);
    state->unit_finish_ns = operation->finish_ns;
}

static void enter_mpi(HieraActivities *state, const HieraOperation *operation)
{
    HieraActivity activity = hiera_site_is_io(operation->site) ? HIERA_ACTIVITY_IO : HIERA_ACTIVITY_MPI;
    hiera_inside_enter(&state->mpi, operation->depth, 0);
    show(state, HIERA_ACTIVITY_USEFUL, operation->start_ns);
    if (operation->finish_ns != HIERA_TIME_OPEN) {
        show(state, activity, operation->finish_ns);
        return;
    }
    state->open_ns = operation->start_ns;
    state->open_activity = activity;
}

void hiera_activities_add(HieraActivities *state, const HieraOperation *operation)
{
    if (operation->thread != 0 || state->open_ns != HIERA_TIME_OPEN)
        return;
    gboolean units = hiera_scope_has_units(state->scope);
    gboolean in_mpi = hiera_inside_holds(&state->mpi, operation->depth, 0);
    gboolean in_unit = !units || hiera_inside_holds(&state->unit, operation->depth, 0);
    if (!in_unit && hiera_scope_accepts_operation(state->scope, operation)) {
        enter_unit(state, operation);
        in_unit = TRUE;
    }
    if (in_unit && !in_mpi && operation->site->mpi)
        enter_mpi(state, operation);
}

void hiera_activities_end(HieraActivities *state, const HieraProcessor *processor)
{
    state->unit_finish_ns = MIN(state->unit_finish_ns, processor->finalize_ns);
    if (state->open_ns != HIERA_TIME_OPEN)
        show(state, state->open_activity, processor->finalize_ns);
    show(state, HIERA_ACTIVITY_USEFUL, state->unit_finish_ns);
}
