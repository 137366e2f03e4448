/* The time of each processor in MPI calls and outside of them: the paper's table 4.
 *
 * Communication is the time of the main thread inside MPI calls; each moment counts once, however calls nest or
 * overlap. Further threads run at the same time, so their times cannot be added. With a level or a depth, only the time
 * inside the outermost operations of that level or depth counts. */
#include "calls/activity.h"
#include "measures.h"

static const HieraColumn columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"communication", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"computation", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"total", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
};

/* Time of what stands for several calls, and lies near the end of the run, which is not known before the end of the
 * trace. */
typedef struct {
    gint64 *sum; /* to which it is added */
    HieraSummed summed;
} Late;

typedef struct {
    const HieraScope *scope;
    HieraActivities activities;
    gint64 inside_ns, outside_ns; /* of MPI */
    gint64 hidden_ns;             /* of MPI calls that a filter hid */
    gint64 init_ns, finalize_ns;  /* as far as they are known: the run may turn out to be longer */
    HieraInside unit, mpi;        /* the operations with sums that enclose the current one */
    gint64 unit_ns, mpi_ns;       /* of what stands for several calls: of the units, and of MPI in them */
    GArray *late;                 /* Late */
} State;

static void add(HieraDoing doing, gint64 start_ns, gint64 finish_ns, gpointer data)
{
    State *state = data;
    gint64 *sum = doing == HIERA_DOES_COMPUTE ? &state->outside_ns : &state->inside_ns;
    *sum = hiera_plus(*sum, hiera_scope_clip(state->scope, start_ns, finish_ns));
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    State *state = g_new0(State, 1);
    state->scope = scope;
    state->unit = state->mpi = HIERA_OUTSIDE;
    state->init_ns = processor->init_ns;
    state->finalize_ns = processor->finalize_ns;
    state->late = g_array_new(FALSE, FALSE, sizeof(Late));
    hiera_activities_begin(&state->activities, scope, processor, add, state);
    return state;
}

static void operation(gpointer data, const HieraOperation *operation)
{
    hiera_activities_add(&((State *)data)->activities, operation);
}

/* An MPI call that was hidden is not inside another one. */
static void filtered(gpointer data, const HieraFiltered *filtered)
{
    State *state = data;
    if (filtered->thread == 0 && filtered->site->mpi)
        state->hidden_ns = hiera_plus(state->hidden_ns, filtered->time_ns);
}

/* Time between init and finalize. Of several calls that lie on both sides of one of them, all is taken. */
static gint64 time_between(const HieraSummed *summed, gint64 init_ns, gint64 finalize_ns)
{
    gint64 last_ns = summed->open > 0 ? finalize_ns : summed->last_ns;
    if (last_ns <= init_ns || summed->first_ns >= finalize_ns)
        return 0;
    if (summed->calls == 1)
        return MIN(last_ns, finalize_ns) - MAX(summed->first_ns, init_ns);
    return hiera_summed_time(summed, finalize_ns);
}

static void add_time(State *state, gint64 *sum, const HieraSummed *summed)
{
    Late late = {sum, *summed};
    if (summed->open > 0 || summed->last_ns > state->finalize_ns)
        g_array_append_val(state->late, late);
    else
        *sum = hiera_plus(*sum, time_between(summed, state->init_ns, state->finalize_ns));
}

static void add_late(const State *state, gint64 finalize_ns)
{
    for (guint i = 0; i < state->late->len; i++) {
        const Late *late = &g_array_index(state->late, Late, i);
        *late->sum = hiera_plus(*late->sum, time_between(&late->summed, state->init_ns, finalize_ns));
    }
}

/* An operation with sums may be in a single one that is a unit, or be one itself. */
static void summed(gpointer data, const HieraSummed *summed)
{
    State *state = data;
    if (summed->thread != 0)
        return;
    gboolean units = hiera_scope_has_units(state->scope), in_mpi = hiera_inside_holds(&state->mpi, summed->depth, 0);
    gboolean in_unit = !units || hiera_inside_holds(&state->activities.inside, summed->depth, 0) ||
                       hiera_inside_holds(&state->unit, summed->depth, 0);
    if (!in_unit && hiera_scope_accepts_summed(state->scope, summed)) {
        hiera_inside_enter(&state->unit, summed->depth, 0);
        add_time(state, &state->unit_ns, summed);
        in_unit = TRUE;
    }
    if (!summed->site->mpi || in_mpi)
        return;
    hiera_inside_enter(&state->mpi, summed->depth, 0);
    if (in_unit)
        add_time(state, &state->mpi_ns, summed);
}

/* Hidden calls lie somewhere in the time outside of MPI; in no unit, since only a level of MPI has them in its scope.
 */
static void end(gpointer data, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    State *state = data;
    hiera_activities_end(&state->activities, processor);
    add_late(state, processor->finalize_ns);
    gint64 communication_ns = hiera_plus(hiera_plus(state->inside_ns, state->mpi_ns), state->hidden_ns);
    gint64 computation_ns = MAX(hiera_minus(hiera_plus(state->outside_ns, state->unit_ns), state->mpi_ns), 0);
    gint64 total_ns = hiera_plus(computation_ns, communication_ns);
    if (!hiera_scope_has_units(state->scope)) {
        computation_ns = MAX(hiera_minus(computation_ns, state->hidden_ns), 0);
        total_ns = hiera_scope_clip(state->scope, processor->init_ns, processor->finalize_ns);
    }
    if (table)
        hiera_table_add(table, (HieraCell[]){{.number = processor->rank},
                                             {.number = communication_ns},
                                             {.number = computation_ns},
                                             {.number = total_ns}});
    g_array_unref(state->late);
    g_free(state);
}

const HieraMeasure hiera_measure_times = {
    .name = "times",
    .help = "time of each processor: in MPI, outside MPI, total",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_RANK,
    .whole = TRUE,
    .begin = begin,
    .operation = operation,
    .summed = summed,
    .filtered = filtered,
    .end = end,
};
