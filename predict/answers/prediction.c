#include "prediction.h"
#include "hiera_measure.h"

#define TIME(name)                                                                                                     \
    {                                                                                                                  \
        name, HIERA_CELL_SECONDS, HIERA_ROLE_ANSWER                                                                    \
    }

static const HieraColumn run_columns[] = {
    {"part", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    TIME("recorded"),
    TIME("predicted"),
    {"change", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
};

static const HieraColumn rank_columns[] = {
    {"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    TIME("recorded"),
    TIME("predicted"),
    TIME("recorded_compute"),
    TIME("predicted_compute"),
    TIME("recorded_mpi"),
    TIME("predicted_mpi"),
    TIME("recorded_waiting"),
    TIME("predicted_waiting"),
};

static const HieraColumn efficiency_columns[] = {
    {"factor", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"recorded", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
    {"predicted", HIERA_CELL_PERCENT, HIERA_ROLE_ANSWER},
};

/* Times of all ranks of a run, recorded or predicted. */
typedef struct {
    RankTimes sum;
    gint64 most_compute; /* time that the rank with most computation computes */
    gint64 time;         /* time from the begin of the run to its end */
} RunTimes;

/* --- rows of the tables --- */

/* Change from recorded to predicted, in hundredths of a percent. */
static gint64 change_of(gint64 recorded, gint64 predicted)
{
    gdouble change = recorded > 0 ? 10000.0 * (gdouble)(predicted - recorded) / (gdouble)recorded : 0;
    return (gint64)CLAMP(change + (change < 0 ? -0.5 : 0.5), -1e15, 1e15);
}

static void add_part(HieraTable *table, const char *part, gint64 recorded, gint64 predicted)
{
    const HieraCell cells[] = {
        {.text = part}, {.number = recorded}, {.number = predicted}, {.number = change_of(recorded, predicted)}};
    hiera_table_add(table, cells);
}

static void add_rank(HieraTable *table, guint32 rank, const RankTimes *recorded, const RankTimes *predicted)
{
    const HieraCell cells[] = {{.number = rank},
                               {.number = recorded->total},
                               {.number = predicted->total},
                               {.number = recorded->compute},
                               {.number = predicted->compute},
                               {.number = recorded->mpi},
                               {.number = predicted->mpi},
                               {.number = recorded->waiting},
                               {.number = predicted->waiting}};
    hiera_table_add(table, cells);
}

static void add_times(RunTimes *run, const RankTimes *times)
{
    run->sum.compute += times->compute;
    run->sum.mpi += times->mpi;
    run->sum.waiting += times->waiting;
    run->most_compute = MAX(run->most_compute, times->compute);
}

/* Return part / whole in hundredths of a percent; 0 if the whole is 0. */
static gint64 part_of(gdouble part, gint64 whole)
{
    return whole > 0 ? (gint64)(10000 * part / (gdouble)whole + 0.5) : 0;
}

/* Make the table of parallel efficiency and its two factors, which are not known if calls are missing. The factors of
 * communication would need another simulation. */
static HieraTable *make_efficiency(const RunTimes *recorded, const RunTimes *predicted, guint32 n, gboolean is_past)
{
    HieraTable *table = hiera_table_new("efficiency", efficiency_columns, G_N_ELEMENTS(efficiency_columns));
    const gdouble means[] = {(gdouble)recorded->sum.compute / n, (gdouble)predicted->sum.compute / n};
    const struct {
        const char *factor;
        gint64 recorded, predicted;
    } rows[] = {{"efficiency", part_of(means[0], recorded->time), part_of(means[1], predicted->time)},
                {"load-balance", part_of(means[0], recorded->most_compute), part_of(means[1], predicted->most_compute)},
                {"communication", part_of((gdouble)recorded->most_compute, recorded->time),
                 part_of((gdouble)predicted->most_compute, predicted->time)}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const HieraCell cells[] = {{.text = rows[i].factor},
                                   {.number = is_past ? HIERA_UNKNOWN : rows[i].recorded},
                                   {.number = is_past ? HIERA_UNKNOWN : rows[i].predicted}};
        hiera_table_add(table, cells);
    }
    return table;
}

GPtrArray *prediction_make_tables(const RecordedTimes *recorded, const RunSimulation *simulation)
{
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    HieraTable *whole = hiera_table_new("prediction", run_columns, G_N_ELEMENTS(run_columns));
    HieraTable *ranks = hiera_table_new("ranks", rank_columns, G_N_ELEMENTS(rank_columns));
    RunTimes recorded_run = {.time = recorded->time_ns};
    RunTimes predicted_run = {.time = simulation->result.end_ps / HIERA_PS_PER_NS};
    for (guint32 i = 0; i < recorded->n; i++) {
        RankTimes predicted = simulation_sum(simulation, i);
        /* Calls on files are replayed with recorded times, so their waiting is the recorded one. */
        if (!simulation->ideal)
            predicted.waiting += recorded->ranks[i].waiting_on_files;
        add_times(&recorded_run, &recorded->ranks[i]);
        add_times(&predicted_run, &predicted);
        add_rank(ranks, recorded->rank[i], &recorded->ranks[i], &predicted);
    }
    add_part(whole, "time", recorded_run.time, predicted_run.time);
    add_part(whole, "compute, all ranks", recorded_run.sum.compute, predicted_run.sum.compute);
    add_part(whole, "MPI, all ranks", recorded_run.sum.mpi, predicted_run.sum.mpi);
    add_part(whole, "waiting, all ranks", recorded_run.sum.waiting, predicted_run.sum.waiting);
    g_ptr_array_add(tables, whole);
    g_ptr_array_add(tables, ranks);
    g_ptr_array_add(tables, make_efficiency(&recorded_run, &predicted_run, recorded->n, recorded->is_past));
    hiera_unrecorded_limit_of(&recorded->unrecorded, whole);
    return tables;
}
