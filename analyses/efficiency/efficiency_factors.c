/* Quotients of the sums, by the definitions of POP; see efficiency_factors.h. */
#include "efficiency_factors.h"
#include "values/shares.h"

HieraEfficiencyFactors hiera_efficiency_factors(const HieraEfficiencySums *sums)
{
    gint64 mean_ns = hiera_mean(sums->useful_ns, sums->processes), max_ns = sums->most_useful_ns;
    gint64 time_ns = sums->time_ns, ideal_ns = MIN(sums->ideal_ns, time_ns);
    HieraEfficiencyFactors factors = {
        .useful_mean_ns = mean_ns,
        .useful_max_ns = max_ns,
        .io_mean_ns = hiera_mean(sums->io_ns, sums->processes),
        .efficiency = hiera_ratio(mean_ns, time_ns),
        .load_balance = hiera_ratio(mean_ns, max_ns),
        .communication = hiera_ratio(max_ns, time_ns),
        .serialisation = hiera_ratio(max_ns, ideal_ns),
        .transfer = hiera_ratio(ideal_ns, time_ns),
    };
    if (sums->past)
        factors.efficiency = factors.load_balance = factors.communication = factors.serialisation = factors.transfer =
            HIERA_UNKNOWN;
    return factors;
}

char *hiera_efficiency_remark(const HieraTrace *trace, const HieraEfficiencySums *sums)
{
    GString *text = g_string_new(NULL);
    if (sums->past)
        g_string_append(text, sums->past);
    else if (sums->of_threads)
        g_string_append(text, sums->of_threads);
    if (sums->most_useful_ns == 0)
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
