/* The time of each processor in MPI calls and outside of them: the paper's table 4.
 *
 * Communication is the time of the main thread inside MPI calls; nested calls count once. Further threads run at the
 * same time, so their times cannot be added. With a level or a depth, only the time inside the outermost operations
 * of that level or depth counts. */
#include "measures.h"
#include "values/outermost.h"

static const HieraColumn columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"communication", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"computation", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"total", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
};

typedef struct {
    const HieraScope *scope;
    gint64 communication_ns, units_ns;
    HieraInside unit, mpi; /* the unit and the MPI call that enclose the current operation */
    GArray *open;          /* Open: operations without an end in the trace */
} State;

typedef struct {
    gint64 start_ns;
    gboolean unit, mpi; /* it is a unit; it is an MPI call whose time counts */
} Open;

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)processor;
    State *state = g_new0(State, 1);
    state->scope = scope;
    state->unit = state->mpi = HIERA_OUTSIDE;
    state->open = g_array_new(FALSE, FALSE, sizeof(Open));
    return state;
}

static void add(State *state, const Open *span, gint64 finish_ns)
{
    gint64 time_ns = hiera_scope_clip(state->scope, span->start_ns, finish_ns);
    if (span->unit)
        state->units_ns = hiera_plus(state->units_ns, time_ns);
    if (span->mpi)
        state->communication_ns = hiera_plus(state->communication_ns, time_ns);
}

static void operation(gpointer data, const HieraOperation *operation)
{
    State *state = data;
    if (operation->thread != 0)
        return;
    guint32 depth = operation->depth;
    gboolean in_unit = hiera_inside_holds(&state->unit, depth, 0), in_mpi = hiera_inside_holds(&state->mpi, depth, 0);
    Open span = {operation->start_ns, !in_unit && hiera_scope_accepts_operation(state->scope, operation), FALSE};
    span.mpi = operation->site->mpi && !in_mpi && (in_unit || span.unit);
    if (span.unit)
        hiera_inside_enter(&state->unit, depth, 0);
    if (operation->site->mpi && !in_mpi)
        hiera_inside_enter(&state->mpi, depth, 0);
    if (operation->finish_ns == HIERA_TIME_OPEN)
        g_array_append_val(state->open, span);
    else
        add(state, &span, operation->finish_ns);
}

/* Add the time of MPI calls that a filter hid. An MPI call is not inside another one, so each moment counts once. */
static void filtered(gpointer data, const HieraFiltered *filtered)
{
    State *state = data;
    if (filtered->thread != 0 || !filtered->site->mpi)
        return;
    state->communication_ns = hiera_plus(state->communication_ns, filtered->time_ns);
    state->units_ns = hiera_plus(state->units_ns, filtered->time_ns);
}

static void end(gpointer data, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    State *state = data;
    for (guint i = 0; i < state->open->len; i++)
        add(state, &g_array_index(state->open, Open, i), processor->finalize_ns);
    gint64 total_ns = hiera_scope_has_units(state->scope)
                          ? state->units_ns
                          : hiera_scope_clip(state->scope, processor->init_ns, processor->finalize_ns);
    if (table)
        hiera_table_add(table, (HieraCell[]){{.number = processor->rank},
                                             {.number = state->communication_ns},
                                             {.number = hiera_minus(total_ns, state->communication_ns)},
                                             {.number = total_ns}});
    g_array_unref(state->open);
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
    .filtered = filtered,
    .end = end,
};
