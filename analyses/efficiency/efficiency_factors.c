/* Quotients of the sums, by the definitions of POP; see efficiency_factors.h. */
#include "efficiency_factors.h"
#include "values/shares.h"

/* Mean times of a thread of one rank, or of all. */
typedef struct {
    gint64 n_threads, useful_ns;
    gint64 busy_ns; /* time in which it does not idle in OpenMP */
} Means;

/* Return the rank whose threads compute for the greatest part of the time in which they do not idle. Those with one
 * thread never do. */
static Means find_best(const HieraEfficiencySums *sums)
{
    Means best = {1, sums->most_useful_ns, sums->time_ns};
    for (guint i = 0; sums->teams && i < sums->teams->len; i++) {
        const HieraEfficiencyTeam *team = &g_array_index(sums->teams, HieraEfficiencyTeam, i);
        Means rank = {team->n_threads, hiera_mean(team->useful_ns, team->n_threads),
                      hiera_minus(sums->time_ns, hiera_mean(team->idle_ns, team->n_threads))};
        if ((__int128)rank.useful_ns * best.busy_ns > (__int128)best.useful_ns * rank.busy_ns)
            best = rank;
    }
    return best;
}

static gint64 find_most_useful(const HieraEfficiencySums *sums)
{
    gint64 most_ns = sums->most_useful_ns;
    for (guint i = 0; sums->teams && i < sums->teams->len; i++) {
        const HieraEfficiencyTeam *team = &g_array_index(sums->teams, HieraEfficiencyTeam, i);
        most_ns = MAX(most_ns, hiera_mean(team->useful_ns, team->n_threads));
    }
    return most_ns;
}

/* Return the useful time that a rank would have if it were busy as long as `best`. */
static gint64 scale(const Means *rank, const Means *best)
{
    if (rank->busy_ns == best->busy_ns || rank->busy_ns <= 0 || rank->useful_ns == HIERA_TOO_LARGE)
        return rank->useful_ns;
    return (gint64)(((__int128)rank->useful_ns * best->busy_ns + rank->busy_ns / 2) / rank->busy_ns);
}

static void set_openmp(HieraEfficiencyFactors *factors, const HieraEfficiencySums *sums)
{
    gint64 parallel_ns = hiera_minus(sums->time_ns, hiera_mean(sums->serial_ns, sums->threads));
    gint64 balanced_ns = hiera_minus(parallel_ns, hiera_mean(sums->balance_ns, sums->threads));
    gint64 busy_ns = hiera_minus(balanced_ns, hiera_mean(sums->scheduling_ns, sums->threads));
    factors->openmp = hiera_ratio(busy_ns, sums->time_ns);
    factors->openmp_serialisation = hiera_ratio(parallel_ns, sums->time_ns);
    if (sums->n_undivided > 0)
        return;
    factors->openmp_load_balance = hiera_ratio(balanced_ns, parallel_ns);
    factors->openmp_scheduling = hiera_ratio(busy_ns, balanced_ns);
}

HieraEfficiencyFactors hiera_efficiency_factors(const HieraEfficiencySums *sums)
{
    gint64 n_threads = hiera_efficiency_threads(sums), time_ns = sums->time_ns;
    gint64 idle_ns = hiera_plus(hiera_plus(sums->serial_ns, sums->balance_ns), sums->scheduling_ns);
    const Means best = find_best(sums);
    const Means all = {n_threads, hiera_mean(sums->useful_ns, n_threads),
                       hiera_minus(time_ns, hiera_mean(idle_ns, n_threads))};
    /* In the ideal run the main thread of each rank is faster, the others are not. */
    gint64 saved_ns = MAX(hiera_minus(time_ns, MIN(sums->ideal_ns, time_ns)), 0);
    gint64 ideal_ns = hiera_minus(best.busy_ns, hiera_mean(saved_ns, best.n_threads));
    if (sums->ideal_ns == HIERA_UNKNOWN)
        ideal_ns = HIERA_UNKNOWN;
    HieraEfficiencyFactors factors = {
        .useful_mean_ns = all.useful_ns,
        .useful_max_ns = find_most_useful(sums),
        .io_mean_ns = hiera_mean(sums->io_ns, n_threads),
        .efficiency = hiera_ratio(all.useful_ns, time_ns),
        .mpi = HIERA_UNKNOWN,
        .load_balance = hiera_ratio(scale(&all, &best), best.useful_ns),
        .communication = hiera_ratio(best.useful_ns, best.busy_ns),
        .serialisation = hiera_ratio(best.useful_ns, ideal_ns),
        .transfer = hiera_ratio(ideal_ns, best.busy_ns),
    };
    factors.openmp = factors.openmp_serialisation = factors.openmp_load_balance = factors.openmp_scheduling =
        HIERA_UNKNOWN;
    if (sums->past) {
        factors.efficiency = factors.load_balance = factors.communication = factors.serialisation = factors.transfer =
            HIERA_UNKNOWN;
    } else if (sums->teams) {
        factors.mpi = hiera_ratio(all.useful_ns, all.busy_ns);
        set_openmp(&factors, sums);
    }
    return factors;
}

/* Whether a filter left out constructs of OpenMP, in which threads may have idled. */
static gboolean lacks_constructs(const HieraTrace *trace)
{
    for (guint i = 0; i < trace->filtered->len; i++)
        if (g_str_equal(g_array_index(trace->filtered, HieraFilteredOf, i).sum.site->level, "openmp"))
            return TRUE;
    return FALSE;
}

char *hiera_efficiency_remark(const HieraTrace *trace, const HieraEfficiencySums *sums)
{
    GString *text = g_string_new(NULL);
    if (sums->past)
        g_string_append(text, sums->past);
    else if (sums->of_threads)
        g_string_append(text, sums->of_threads);
    if (sums->teams && lacks_constructs(trace))
        g_string_append_printf(text, "%sa filter left out constructs of OpenMP", text->len ? "; " : "");
    if (sums->n_crowded > 0)
        g_string_append_printf(text, "%s%" G_GINT64_FORMAT " rank%s with fewer processors than threads",
                               text->len ? "; " : "", sums->n_crowded, sums->n_crowded == 1 ? "" : "s");
    if (sums->useful_ns == 0)
        g_string_append_printf(text, "%sno useful time", text->len ? "; " : "");
    if (sums->ideal_ns > sums->time_ns)
        g_string_append_printf(text, "%sthe ideal run is longer here", text->len ? "; " : "");
    if (sums->unsure > 0) {
        g_autofree char *place = hiera_site_place(sums->unsure_site);
        g_string_append_printf(text, "%sclocks contradict calls: %" G_GINT64_FORMAT ", first rank %u %s%s%s",
                               text->len ? "; " : "", sums->unsure, trace->processors[sums->unsure_processor].rank,
                               sums->unsure_site->operation, *place ? " " : "", place);
    }
    return g_string_free(text, FALSE);
}
