/* How long each processor communicated: the paper's table 4.
 *
 * Communication is the time inside MPI calls of the main thread, each moment once however deep the calls nest; the
 * times of further threads overlap with it and cannot be added up. MPI calls of one thread nest or follow one another,
 * so the calls not inside another MPI call cover all. */
#include "measures.h"

static const HieraColumn columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"communication", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"computation", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"total", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
};

typedef struct {
    gint64 from_ns, to_ns;
    gint64 communication_ns;
    guint32 inside_depth; /* depth of the MPI call that encloses what follows; G_MAXUINT32: none */
    GArray *open_ns;      /* start times of outermost calls whose end is not known yet */
} State;

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)processor;
    State *state = g_new0(State, 1);
    state->from_ns = scope->from_ns;
    state->to_ns = scope->to_ns;
    state->inside_depth = G_MAXUINT32;
    state->open_ns = g_array_new(FALSE, FALSE, sizeof(gint64));
    return state;
}

/* The part of a span that lies in the scope. */
static gint64 clip(const State *state, gint64 start_ns, gint64 finish_ns)
{
    gint64 first = MAX(start_ns, state->from_ns), last = MIN(finish_ns, state->to_ns);
    return MAX(last - first, 0);
}

static void operation(gpointer data, const HieraOperation *operation)
{
    State *state = data;
    if (operation->thread != 0)
        return;
    if (operation->depth <= state->inside_depth)
        state->inside_depth = G_MAXUINT32;
    if (!operation->site->mpi || state->inside_depth != G_MAXUINT32)
        return;
    state->inside_depth = operation->depth;
    if (operation->finish_ns == HIERA_TIME_OPEN)
        g_array_append_val(state->open_ns, operation->start_ns);
    else
        state->communication_ns += clip(state, operation->start_ns, operation->finish_ns);
}

/* MPI calls lie in no other MPI call: each moment of a sum counts once, too. */
static void filtered(gpointer data, const HieraFiltered *filtered)
{
    State *state = data;
    if (filtered->thread == 0 && filtered->site->mpi)
        state->communication_ns += filtered->time_ns;
}

static void end(gpointer data, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    State *state = data;
    for (guint i = 0; i < state->open_ns->len; i++)
        state->communication_ns += clip(state, g_array_index(state->open_ns, gint64, i), processor->finalize_ns);
    gint64 total_ns = clip(state, processor->init_ns, processor->finalize_ns);
    if (table)
        hiera_table_add(table, (HieraCell[]){{.number = processor->rank},
                                             {.number = state->communication_ns},
                                             {.number = total_ns - state->communication_ns},
                                             {.number = total_ns}});
    g_array_unref(state->open_ns);
    g_free(state);
}

const HieraMeasure hiera_measure_times = {
    .name = "times",
    .help = "time of each processor inside MPI calls, outside them, and in all",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .need = HIERA_NEED_STREAM,
    .whole = TRUE,
    .begin = begin,
    .operation = operation,
    .filtered = filtered,
    .end = end,
};
