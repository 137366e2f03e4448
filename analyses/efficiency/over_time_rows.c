#include "over_time_rows.h"
#include "values/shares.h"

enum { N_CELLS_MOST = 13 }; /* number of cells in the longest row of times */

static gboolean is_by_rank(HieraOverTimeForm form)
{
    return form == HIERA_OVER_TIME_RANK || form == HIERA_OVER_TIME_WAITING_RANK || form == HIERA_OVER_TIME_THREAD;
}

/* Return the four times of a form: the last one is that which is lost. `has_lost`: whether the form shows it. */
static const guint *find_shown(HieraOverTimeForm form, gboolean *has_lost)
{
    static const guint of_main[] = {HIERA_DOES_COMPUTE, HIERA_DOES_COMMUNICATE, HIERA_DOES_IO, HIERA_OVER_WAITING};
    static const guint of_thread[] = {HIERA_DOES_COMPUTE, HIERA_DOES_COMMUNICATE, HIERA_DOES_IO, HIERA_DOES_IDLE};
    static const guint of_all[] = {HIERA_OVER_ALL_USEFUL, HIERA_OVER_ALL_MPI, HIERA_OVER_ALL_IO, HIERA_OVER_ALL_IDLE};
    *has_lost = form != HIERA_OVER_TIME_ALL && form != HIERA_OVER_TIME_RANK;
    if (form == HIERA_OVER_TIME_IDLE)
        return of_all;
    return form == HIERA_OVER_TIME_THREAD ? of_thread : of_main;
}

/* Return the share, in 0.01 %, of a time in the whole time of n ranks or threads in a bin of width_ns. Missing calls
 * count as computation, so its share is not known then. */
static gint64 share_of(const HieraOverTime *over, guint what, gint64 time_ns, gint64 width_ns, gint64 n)
{
    __int128 whole = (__int128)width_ns * n;
    gboolean is_useful = what == HIERA_DOES_COMPUTE || what == HIERA_OVER_ALL_USEFUL;
    if (is_useful && over->bins.n > 0 && over->most[0].past)
        return HIERA_UNKNOWN;
    if (time_ns == HIERA_TOO_LARGE)
        return time_ns;
    return whole > 0 ? (gint64)(((__int128)time_ns * 10000 + whole / 2) / whole) : 0;
}

/* Add a row with the times of n ranks or threads in a bin. @param keys  rank and thread of the row, where it has them
 */
static void add_times(const HieraOverTime *over, HieraOverTimeForm form, guint bin, const HieraOverTimes *times,
                      gint64 n, const guint32 *keys, HieraTable *table)
{
    gboolean has_lost;
    const guint *shown = find_shown(form, &has_lost);
    guint n_times = has_lost ? 4 : 3, drawn = shown[has_lost ? 3 : 0];
    HieraCell cells[N_CELLS_MOST], *cell = cells;
    gint64 from_ns = hiera_time_bins_edge(&over->bins, bin), to_ns = hiera_time_bins_edge(&over->bins, bin + 1);
    if (is_by_rank(form))
        (cell++)->number = keys[0];
    if (form == HIERA_OVER_TIME_THREAD)
        (cell++)->number = keys[1];
    (cell++)->number = from_ns;
    (cell++)->number = to_ns;
    for (guint i = 0; i < n_times; i++)
        (cell++)->number = times->ns[shown[i]];
    for (guint i = 0; i < n_times; i++)
        (cell++)->number = share_of(over, shown[i], times->ns[shown[i]], to_ns - from_ns, n);
    if (form == HIERA_OVER_TIME_ALL) {
        const HieraEfficiencyFactors factors = hiera_efficiency_factors(&over->most[bin]);
        (cell++)->number = factors.load_balance;
        (cell++)->number = factors.communication;
    }
    cell->number = share_of(over, drawn, times->ns[drawn], to_ns - from_ns, n);
    hiera_table_add(table, cells);
}

static void add_factors(const HieraOverTime *over, guint bin, HieraTable *table)
{
    const HieraEfficiencyFactors factors = hiera_efficiency_factors(&over->most[bin]);
    hiera_table_add(table, (HieraCell[]){{.number = hiera_time_bins_edge(&over->bins, bin)},
                                         {.number = hiera_time_bins_edge(&over->bins, bin + 1)},
                                         {.number = over->most[bin].processes},
                                         {.number = factors.useful_mean_ns},
                                         {.number = factors.useful_max_ns},
                                         {.number = factors.io_mean_ns},
                                         {.number = factors.efficiency},
                                         {.number = factors.load_balance},
                                         {.number = factors.communication},
                                         {.number = factors.serialisation},
                                         {.number = factors.transfer},
                                         HIERA_EFFICIENCY_THREAD_CELLS(&over->most[bin], factors)});
}

void hiera_over_time_add_rank(const HieraOverTime *over, HieraOverTimeForm form, guint32 rank, guint32 thread,
                              HieraTable *table)
{
    const guint32 keys[] = {rank, thread};
    for (guint bin = 0; is_by_rank(form) && bin < over->bins.n; bin++)
        add_times(over, form, bin, &over->rank[bin], 1, keys, table);
}

void hiera_over_time_add_all(const HieraOverTime *over, HieraOverTimeForm form, HieraTable *table)
{
    for (guint bin = 0; !is_by_rank(form) && bin < over->bins.n; bin++) {
        const HieraOverTimes *all = &over->all[bin];
        if (form == HIERA_OVER_TIME_EFFICIENCY)
            add_factors(over, bin, table);
        else
            add_times(over, form, bin, all, form == HIERA_OVER_TIME_IDLE ? all->ns[HIERA_OVER_THREADS] : over->n_ranks,
                      NULL, table);
    }
}
