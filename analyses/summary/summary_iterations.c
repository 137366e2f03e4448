/* Makes sentences on the iterations of the run: length, drift, long ones. See summary.h. */
#include "alike/phase_times.h"
#include "summary.h"

enum {
    LEAST_SHARE = 1000,    /* least share of the run that the iterations take for a sentence, in 0.01 % */
    LEAST_OUTLIERS = 100,  /* least share of the run that long iterations take beyond the median, in 0.01 % */
    LONG_PERCENT = 150,    /* least time of a long iteration, in percent of the median */
    MOST_OUTLIERS = 25,    /* percent of iterations that may be long; if there are more, times are uneven */
    STEP_DEVIATIONS = 3,   /* iterations are no time steps if their times deviate by more than this many means */
    MANY_REPEATS = 10,     /* least number of iterations for which drift and unevenness are reported */
    DRIFT_PERCENT = 10,    /* least drift, along the fitted line over all iterations, in percent of the mean */
    DRIFT_DEVIATIONS = 250 /* least drift in percent of the deviation: it explains half of the variance */
};

/* Return how the time of the iterations changes over the run, as text; "": it does not. To be freed with g_free. */
static char *describe_drift(const HieraSummary *summary, const HieraPhaseSpread *spread, guint n)
{
    __int128 rise = ((__int128)spread->drift_ns < 0 ? -(__int128)spread->drift_ns : spread->drift_ns) * (n - 1);
    if (n < MANY_REPEATS || rise * 100 < (__int128)spread->of.mean * DRIFT_PERCENT ||
        rise * 100 < (__int128)spread->of.deviation * DRIFT_DEVIATIONS || rise == 0)
        return g_strdup("");
    return g_strdup_printf("; each takes %s %s than the one before",
                           hiera_summary_time(summary, spread->drift_ns < 0 ? -spread->drift_ns : spread->drift_ns),
                           spread->drift_ns < 0 ? "less" : "longer");
}

/* Iterations that take much longer than the median of their phase. */
typedef struct {
    guint n, longest; /* number of long iterations; number of the longest one */
    gint64 longer_ns; /* sum of what long iterations take beyond the median */
    gboolean many;    /* TRUE if more than MOST_OUTLIERS are long: then the times are uneven */
} Outliers;

static Outliers find_outliers(const HieraPhaseTime *first, guint n, gint64 median_ns)
{
    Outliers of = {0};
    for (guint i = 0; i < n; i++) {
        if ((__int128)first[i].time_ns * 100 < (__int128)median_ns * LONG_PERCENT)
            continue;
        of.n++;
        of.longer_ns = hiera_plus(of.longer_ns, first[i].time_ns - median_ns);
        of.longest = first[i].time_ns > first[of.longest].time_ns ? i : of.longest;
    }
    of.many = n >= MANY_REPEATS && (guint64)of.n * 100 > (guint64)n * MOST_OUTLIERS;
    return of;
}

/* Whether these are no time steps of the program, but calls that follow each other in one step: for example a third of
 * them take thousands of times as long as the others. */
static gboolean are_no_steps(const Outliers *of, const HieraPhaseSpread *spread)
{
    return of->many && spread->of.deviation / STEP_DEVIATIONS > spread->of.mean;
}

static void say_outliers(HieraSummary *summary, const HieraPhaseTime *first, const Outliers *of, gint64 median_ns)
{
    gint64 run_ns = hiera_scope_clip(summary->scope, summary->begin_ns, summary->end_ns);
    const char *longest = hiera_summary_time(summary, first[of->longest].time_ns);
    if (of->n == 0 || median_ns <= 0 || hiera_percent(of->longer_ns, run_ns) < LEAST_OUTLIERS)
        return;
    if (of->many) {
        hiera_summary_say(summary, HIERA_SUMMARY_ITERATIONS, HIERA_SAY_SECOND, "--measure phases --by iteration",
                          "they are uneven: half of them take at most %s, iteration %u takes %s",
                          hiera_summary_time(summary, median_ns), of->longest + 1, longest);
        return;
    }
    g_autofree char *others = NULL;
    if (of->n == 1)
        others = g_strdup("");
    else if (of->n == 2)
        others = g_strdup("; another one is long, too");
    else
        others = g_strdup_printf("; %u others are long, too", of->n - 1);
    hiera_summary_say(summary, HIERA_SUMMARY_ITERATIONS, HIERA_SAY_SECOND, "--measure phases --by iteration",
                      "iteration %u takes %s, %.1f times as long as the median%s", of->longest + 1, longest,
                      (double)first[of->longest].time_ns / (double)median_ns, others);
}

/* Add a sentence on how long the iterations of a phase take, and how even their times are. */
static void say_iterations(HieraSummary *summary, const HieraPhase *phase, const HieraPhaseTime *first)
{
    HieraPhaseSpread spread = hiera_phase_spread_of(first, phase->repeats);
    Outliers outliers = find_outliers(first, phase->repeats, spread.of.median);
    if (are_no_steps(&outliers, &spread))
        return;
    const HieraSite *site = hiera_catalog_peek_site(summary->trace->catalog, phase->site);
    g_autofree char *drift = describe_drift(summary, &spread, phase->repeats);
    hiera_summary_say(summary, HIERA_SUMMARY_ITERATIONS, HIERA_SAY_SECOND, "--measure phases",
                      "%s %s %s take %s of all time: mean %s, deviation %s%s",
                      hiera_summary_count(summary, phase->repeats, "iteration"),
                      site->mpi || phase->length > 1 ? "around" : "of", hiera_summary_place(summary, phase->node),
                      hiera_summary_share(summary, phase->time_ns), hiera_summary_time(summary, spread.of.mean),
                      hiera_summary_time(summary, spread.of.deviation), drift);
    say_outliers(summary, first, &outliers, spread.of.median);
}

void hiera_summary_add_iterations(HieraSummary *summary)
{
    HieraPhaseTimes times;
    const HieraPhaseTime *first;
    hiera_phase_times_init(&times, &summary->paths, summary->scope);
    const HieraPhase *phase = times.n_shown > 0 ? hiera_phase_times_peek(&times, 0, &first) : NULL;
    if (hiera_scope_leads(summary->scope) && phase && phase->repeats >= 3 &&
        hiera_percent(phase->time_ns, summary->run_ns) >= LEAST_SHARE)
        say_iterations(summary, phase, first);
    hiera_phase_times_clear(&times);
}
