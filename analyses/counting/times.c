/* Time of each processor inside and outside of MPI calls: the paper's table 4.
 *
 * Communication is the time of the main thread inside MPI calls; each moment counts once, even if calls nest or
 * overlap. Further threads run at the same time, so their times cannot be added. With a level or a depth, only the time
 * inside the outermost operations of that level or depth counts. */
#include "calls/activity.h"
#include "calls/summed_times.h"
#include "measures.h"
#include "values/unrecorded.h"

static const HieraColumn columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"communication", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"computation", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"total", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
};

typedef struct {
    const HieraScope *scope;
    HieraActivities activities;
    gint64 inside_ns, outside_ns; /* time of the main thread inside, and outside, MPI calls */
    gint64 own_ns;                /* time that the collector took from the main thread */
    gint64 filtered_ns;           /* time of MPI calls of the main thread that a filter removed */
    HieraSummedTimes summed;
    gboolean settled; /* TRUE if all times of the processor were added */
} State;

static void add(HieraDoing doing, gint64 start_ns, gint64 finish_ns, gpointer data)
{
    State *state = data;
    gint64 *sum = &state->inside_ns;
    if (doing == HIERA_DOES_COMPUTE)
        sum = &state->outside_ns;
    else if (doing == HIERA_DOES_OWN)
        sum = &state->own_ns;
    *sum = hiera_plus(*sum, hiera_scope_clip(state->scope, start_ns, finish_ns));
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    State *state = g_new0(State, 1);
    state->scope = scope;
    hiera_summed_times_begin(&state->summed, scope, processor);
    hiera_activities_begin(&state->activities, scope, processor, add, state);
    return state;
}

static void operation(gpointer data, const HieraOperation *operation)
{
    hiera_activities_add(&((State *)data)->activities, operation);
}

static void own_time(gpointer data, const HieraOwnTime *own)
{
    hiera_activities_add_own(&((State *)data)->activities, own);
}

/* Add the time of calls that a filter removed. None of them was inside another MPI call. */
static void filtered(gpointer data, const HieraFiltered *filtered)
{
    State *state = data;
    if (filtered->thread == 0 && filtered->site->mpi)
        state->filtered_ns = hiera_plus(state->filtered_ns, filtered->time_ns);
}

static void summed(gpointer data, const HieraSummed *summed)
{
    State *state = data;
    gboolean inside = hiera_scope_has_units(state->scope) && summed->thread == 0 &&
                      hiera_inside_holds(&state->activities.inside, summed->depth, 0);
    hiera_summed_times_add(&state->summed, summed, inside);
}

/* Add the times that depend on the end of the run, which is known when the processor is read. */
static void settle(State *state, const HieraProcessor *processor)
{
    if (state->settled)
        return;
    hiera_activities_end(&state->activities, processor);
    hiera_summed_times_end(&state->summed, processor);
    state->settled = TRUE;
}

static void pack(gpointer data, const HieraProcessor *processor, HieraPacker *to)
{
    State *state = data;
    settle(state, processor);
    hiera_pack_number(to, state->inside_ns);
    hiera_pack_number(to, state->outside_ns);
    hiera_pack_number(to, state->own_ns);
    hiera_pack_number(to, state->filtered_ns);
    hiera_pack_bytes(to, state->summed.does_ns, sizeof state->summed.does_ns);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    (void)processor;
    State *state = g_new0(State, 1);
    state->scope = scope;
    state->settled = TRUE;
    state->inside_ns = hiera_unpack_number(from);
    state->outside_ns = hiera_unpack_number(from);
    state->own_ns = hiera_unpack_number(from);
    state->filtered_ns = hiera_unpack_number(from);
    hiera_unpack_bytes(from, state->summed.does_ns, sizeof state->summed.does_ns);
    return state;
}

/* End with a processor. Removed calls are somewhere in the time outside of MPI; never in a unit, since only a scope
 * with a level of MPI has them. */
static void end(gpointer data, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    State *state = data;
    settle(state, processor);
    const gint64 *does_ns = state->summed.does_ns;
    gint64 summed_ns = hiera_plus(does_ns[HIERA_DOES_COMMUNICATE], does_ns[HIERA_DOES_IO]);
    gint64 communication_ns = hiera_plus(hiera_plus(state->inside_ns, summed_ns), state->filtered_ns);
    gint64 computation_ns = MAX(hiera_plus(state->outside_ns, does_ns[HIERA_DOES_COMPUTE]), 0);
    gint64 total_ns = hiera_plus(hiera_plus(computation_ns, communication_ns), state->own_ns);
    if (!hiera_scope_has_units(state->scope)) {
        computation_ns = MAX(hiera_minus(computation_ns, state->filtered_ns), 0);
        total_ns = hiera_scope_clip(state->scope, processor->init_ns, processor->finalize_ns);
    }
    if (table && processor->threaded)
        hiera_table_limit(table, HIERA_FINDING_MAIN_THREADS,
                          processor->has_openmp
                              ? "times: only main threads count, and their waiting in OpenMP is computation; "
                                "--measure threads --by thread has all threads of OpenMP"
                              : HIERA_ONLY_MAIN_THREADS("times"));
    if (table)
        hiera_table_add(table, (HieraCell[]){{.number = processor->rank},
                                             {.number = communication_ns},
                                             {.number = computation_ns},
                                             {.number = total_ns}});
    g_free(state);
}

const HieraMeasure hiera_measure_times = {
    .name = "times",
    .help = "time of each processor: in MPI, outside MPI, total",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_WHOLE,
    .rank = &(const HieraRankOps){.read = {.begin = begin,
                                           .operation = operation,
                                           .filtered = filtered,
                                           .summed = summed,
                                           .records = {.own_time = own_time},
                                           .pack = pack,
                                           .unpack = unpack},
                                  .end = end},
};
