#include "over_time_sums.h"
#include "values/outermost.h"
#include <string.h>

#define BINS_DEFAULT 20

void hiera_over_time_init(HieraOverTime *over, const HieraScope *scope, gint64 first_ns, gint64 last_ns,
                          const char *past)
{
    *over = (HieraOverTime){.units = hiera_scope_has_units(scope)};
    over->bins = hiera_time_bins(MAX(first_ns, scope->from_ns), MIN(last_ns, scope->to_ns),
                                 scope->options.bins ? scope->options.bins : BINS_DEFAULT);
    over->rank = g_new0(HieraOverTimes, over->bins.n + 1);
    over->all = g_new0(HieraOverTimes, over->bins.n + 1);
    over->most = g_new0(HieraEfficiencySums, over->bins.n + 1);
    for (guint bin = 0; bin < over->bins.n; bin++)
        over->most[bin].past = past;
}

void hiera_over_time_clear(HieraOverTime *over)
{
    for (guint bin = 0; bin < over->bins.n; bin++)
        hiera_efficiency_sums_clear(&over->most[bin]);
    g_free(over->rank);
    g_free(over->all);
    g_free(over->most);
}

/* Where hiera_over_time_add adds a span: argument of a visit function. */
typedef struct {
    HieraOverTime *over;
    guint what;
} Add;

static void add_inside(guint bin, gint64 inside_ns, gpointer user)
{
    const Add *add = user;
    gint64 *sum = &add->over->rank[bin].ns[add->what];
    *sum = hiera_plus(*sum, inside_ns);
}

void hiera_over_time_add(HieraOverTime *over, guint what, gint64 start_ns, gint64 finish_ns)
{
    Add add = {over, what};
    hiera_time_bins_spread(&over->bins, start_ns, finish_ns, add_inside, &add);
}

/* Of a rank with one thread, the times of all threads are those of the main thread. */
static void settle_threads(gint64 *ns)
{
    if (ns[HIERA_OVER_THREADS] > 1)
        return;
    ns[HIERA_OVER_THREADS] = 1;
    ns[HIERA_OVER_ALL_USEFUL] = ns[HIERA_DOES_COMPUTE];
    ns[HIERA_OVER_ALL_MPI] = ns[HIERA_DOES_COMMUNICATE];
    ns[HIERA_OVER_ALL_IO] = ns[HIERA_DOES_IO];
}

static void end_bin(const HieraOverTime *over, guint bin)
{
    HieraOverTimes *rank = &over->rank[bin];
    gint64 time_ns = 0;
    settle_threads(rank->ns);
    for (guint i = 0; i < HIERA_N_DOINGS; i++)
        time_ns = hiera_plus(time_ns, rank->ns[i]);
    for (guint i = 0; i < HIERA_N_OVER; i++)
        over->all[bin].ns[i] = hiera_plus(over->all[bin].ns[i], rank->ns[i]);
    const gint64 *ns = rank->ns;
    HieraEfficiencyShare share = {.time_ns = time_ns,
                                  .useful_ns = ns[HIERA_OVER_ALL_USEFUL],
                                  .io_ns = ns[HIERA_OVER_ALL_IO],
                                  .ideal_ns = ns[HIERA_OVER_IDEAL],
                                  .n_threads = (guint32)ns[HIERA_OVER_THREADS],
                                  .threads = {.serial_ns = ns[HIERA_OVER_SERIAL],
                                              .balance_ns = ns[HIERA_OVER_BALANCE],
                                              .scheduling_ns = ns[HIERA_OVER_SCHEDULING]}};
    if (!over->units || time_ns > 0)
        hiera_efficiency_sums_add(&over->most[bin], &share);
}

void hiera_over_time_end_rank(HieraOverTime *over)
{
    over->n_ranks++;
    for (guint bin = 0; bin < over->bins.n; bin++)
        end_bin(over, bin);
    memset(over->rank, 0, over->bins.n * sizeof *over->rank);
}
