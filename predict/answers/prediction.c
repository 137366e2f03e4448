/* See prediction.h. */
#include "prediction.h"
#include "calls/timeline.h"
#include "waiting/waiting.h"

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
    {"processor", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    TIME("recorded"),
    TIME("predicted"),
    TIME("recorded_compute"),
    TIME("predicted_compute"),
    TIME("recorded_mpi"),
    TIME("predicted_mpi"),
    TIME("recorded_waiting"),
    TIME("predicted_waiting"),
};

/* --- the recorded run --- */

static void add_span(const HieraSpan *span, gpointer data)
{
    RankTimes *times = data;
    gint64 duration_ns = span->end_ns - span->begin_ns;
    times->total += duration_ns;
    *(span->doing == HIERA_DOES_COMPUTE ? &times->compute : &times->mpi) += duration_ns;
}

static RankTimes sum_recorded(const RecordedRun *run, guint32 rank, const gint64 *waiting)
{
    const HieraProcessor *of = &run->trace->processors[rank];
    RankTimes times = {0, 0, 0, 0};
    hiera_timeline_visit(run->trace, rank, add_span, &times);
    for (guint64 row = of->first; row < of->first + of->n_operations; row++)
        times.waiting += run->is_call[row] ? waiting[row] : 0;
    return times;
}

/* --- rows --- */

/* In hundredths of a percent. */
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

static void add_rank(HieraTable *table, const HieraProcessor *of, const RankTimes *recorded, const RankTimes *predicted)
{
    g_autofree char *name = g_strdup_printf("P%u", of->rank);
    const HieraCell cells[] = {{.text = hiera_table_keep(table, name)},
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

static void add_times(RankTimes *sum, const RankTimes *times)
{
    sum->compute += times->compute;
    sum->mpi += times->mpi;
    sum->waiting += times->waiting;
}

GPtrArray *prediction_make_tables(const RecordedRun *run, const Feeder *feeder, const HieraSimResult *result)
{
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)hiera_table_free);
    HieraTable *whole = hiera_table_new("prediction", run_columns, G_N_ELEMENTS(run_columns));
    HieraTable *ranks = hiera_table_new("ranks", rank_columns, G_N_ELEMENTS(rank_columns));
    const HieraScope all = HIERA_SCOPE_ALL;
    g_autofree gint64 *waiting = hiera_waits_by_row(run->match, &all);
    RankTimes recorded_sum = {0, 0, 0, 0}, predicted_sum = {0, 0, 0, 0};
    for (guint32 i = 0; i < run->trace->n_processors; i++) {
        const RankTimes recorded = sum_recorded(run, i, waiting), predicted = feeder_sum(feeder, i);
        add_times(&recorded_sum, &recorded);
        add_times(&predicted_sum, &predicted);
        add_rank(ranks, &run->trace->processors[i], &recorded, &predicted);
    }
    add_part(whole, "time", recorded_run_time_ns(run), result->end_ps / HIERA_PS_PER_NS);
    add_part(whole, "compute, all ranks", recorded_sum.compute, predicted_sum.compute);
    add_part(whole, "MPI, all ranks", recorded_sum.mpi, predicted_sum.mpi);
    add_part(whole, "waiting, all ranks", recorded_sum.waiting, predicted_sum.waiting);
    g_ptr_array_add(tables, whole);
    g_ptr_array_add(tables, ranks);
    return tables;
}
