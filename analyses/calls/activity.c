#include "activity.h"

static void show(const HieraActivities *state, const HieraTimeSpan *span)
{
    if (span->begin_ns < span->end_ns && span->end_ns > state->finalize_ns)
        g_array_append_val(state->late, *span);
    else if (span->begin_ns < span->end_ns)
        state->visit(span->doing, span->begin_ns, span->end_ns, state->user);
}

/* Visit the intervals in `late`, cut at the end of the run, which is known now. */
static void show_late(const HieraActivities *state, gint64 finalize_ns)
{
    for (guint i = 0; i < state->late->len; i++) {
        const HieraTimeSpan *span = &g_array_index(state->late, HieraTimeSpan, i);
        if (span->begin_ns < finalize_ns)
            state->visit(span->doing, span->begin_ns, MIN(span->end_ns, finalize_ns), state->user);
    }
}

/* Visit the current interval of computation, and begin a new one at begin_ns in the operation `unit`. */
static void turn_to(HieraActivities *state, guint32 unit, gint64 begin_ns)
{
    show(state, &state->stretch);
    state->stretch =
        (HieraTimeSpan){.row = unit, .doing = HIERA_DOES_COMPUTE, .begin_ns = begin_ns, .end_ns = begin_ns};
}

static void add_span(const HieraTimeSpan *span, gpointer data)
{
    HieraActivities *state = data;
    guint32 unit = hiera_scope_has_units(state->scope) ? span->row : 0;
    if (unit == HIERA_NONE)
        return;
    if (span->doing != HIERA_DOES_COMPUTE || unit != state->stretch.row)
        turn_to(state, unit, span->begin_ns);
    if (span->doing == HIERA_DOES_COMPUTE) {
        state->stretch.end_ns = span->end_ns;
        return;
    }
    show(state, span);
    state->stretch.begin_ns = state->stretch.end_ns = span->end_ns;
}

void hiera_activities_begin(HieraActivities *state, const HieraScope *scope, const HieraProcessor *processor,
                            HieraActivityVisit visit, gpointer user)
{
    *state = (HieraActivities){.scope = scope,
                               .visit = visit,
                               .user = user,
                               .inside = HIERA_OUTSIDE,
                               .stretch = {.row = HIERA_NONE},
                               .finalize_ns = processor->finalize_ns,
                               .late = g_array_new(FALSE, FALSE, sizeof(HieraTimeSpan))};
    hiera_span_cutter_begin(&state->cutter, HIERA_NONE, processor->init_ns, HIERA_TIME_OPEN, add_span, state);
}

void hiera_activities_add(HieraActivities *state, const HieraOperation *operation)
{
    gboolean units = hiera_scope_has_units(state->scope);
    if (operation->thread != 0)
        return;
    if (units && !hiera_inside_holds(&state->inside, operation->depth, 0)) {
        if (!hiera_scope_accepts_operation(state->scope, operation))
            return;
        hiera_inside_enter(&state->inside, operation->depth, 0);
        state->unit++;
    }
    HieraMoments moments = {state->unit, operation->depth - (units ? state->inside.depth : 0),
                            hiera_site_does(operation->site), operation->start_ns, operation->finish_ns};
    hiera_span_cutter_add(&state->cutter, &moments);
}

void hiera_activities_add_own(HieraActivities *state, const HieraOwnTime *own)
{
    guint n = state->cutter.n_own + 1;
    if (!state->own)
        state->own = g_array_new(FALSE, FALSE, sizeof(HieraOwnTime));
    else if (n == 1)
        g_array_set_size(state->own, 0);
    g_array_append_vals(state->own, own, 1);
    hiera_span_cutter_set_own(&state->cutter, &g_array_index(state->own, HieraOwnTime, state->own->len - n), n);
}

void hiera_activities_end(HieraActivities *state, const HieraProcessor *processor)
{
    hiera_span_cutter_end(&state->cutter, processor->finalize_ns);
    show(state, &state->stretch);
    show_late(state, processor->finalize_ns);
    g_array_unref(state->late);
    g_clear_pointer(&state->own, g_array_unref);
}
